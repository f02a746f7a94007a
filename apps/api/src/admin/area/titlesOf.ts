import { html, shortened, type Column } from '@bindery/html';
import { Organization } from '@bindery/models';

/** The titles of organizations, by id. */
export async function titlesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Organization.find({ _id: { $in: [...new Set(ids)] } }, { title: 1 }).lean<
    { _id: string; title: string }[]
  >();
  return new Map(found.map(({ _id, title }) => [_id, title]));
}

/** A column with the title and the id of an organization. @param titles  those of `titlesOf` */
export function organizationColumn(titles: ReadonlyMap<string, string>): Column<{ organization: string }> {
  return {
    name: 'Organization',
    cell: ({ organization }) =>
      html`${shortened(titles.get(organization) ?? '', 60)} <span class="soft">${organization}</span>`,
  };
}

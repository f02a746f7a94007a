import { html, shortened, type Column, type Value } from '@bindery/html';

/** The part of a mongoose model used here. */
type Titled = { find(filter: object, projection: object): { lean(): PromiseLike<unknown> } };

/** The titles of records, such as organizations, by id. */
export async function titlesOf(model: Titled, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await model.find({ _id: { $in: [...new Set(ids)] } }, { title: 1 }).lean();
  return new Map((found as { _id: string; title: string }[]).map(({ _id, title }) => [_id, title]));
}

/** The title of a record with its id. @param titles  those of `titlesOf` */
export function titled(id: string, titles: ReadonlyMap<string, string>): Value {
  return html`${shortened(titles.get(id) ?? '', 60)} <span class="soft">${id}</span>`;
}

/** A column with the title and the id of an organization. @param titles  those of `titlesOf` */
export function organizationColumn(titles: ReadonlyMap<string, string>): Column<{ organization: string }> {
  return {
    name: 'Organization',
    cell: ({ organization }) => titled(organization, titles),
  };
}

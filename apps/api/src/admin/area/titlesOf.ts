import { Organization } from '@bindery/models';

/** The titles of organizations, by id. */
export async function titlesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Organization.find({ _id: { $in: [...new Set(ids)] } }, { title: 1 }).lean<
    { _id: string; title: string }[]
  >();
  return new Map(found.map(({ _id, title }) => [_id, title]));
}

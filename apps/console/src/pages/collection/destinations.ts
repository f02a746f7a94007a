import type { Collection, Organization } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { textIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';

/** As many collections as one answer of the API holds. */
const listed = 1_000;

type Destination = readonly [string, string];

/** The collections of an organization that the caller sees, newest first. */
export async function listCollections({ api }: Visit, organization: string): Promise<Collection[]> {
  const path = apiPath`/orgs/${organization}/collections${{ limit: listed, nested: 'true' }}`;
  return (await api.get<ListPage<Collection>>(path)).items;
}

/** Where the caller may put content: collections, and the root of the organization. */
export async function listDestinations(
  visit: Visit,
  { organization: id, besides }: { organization: string; besides?: string },
): Promise<readonly Destination[]> {
  const [organization, collections] = await Promise.all([
    visit.api.get<Organization>(apiPath`/orgs/${id}`),
    listCollections(visit, id),
  ]);
  return [
    ...(organization.permissions.createContent ? [['root', 'None: the organization'] as const] : []),
    ...collections
      .filter((one) => one.permissions.create && one.id !== besides)
      .map((one) => [one.id, one.title] as const),
  ];
}

/** The chosen destination; null is the root of the organization. */
export function destinationIn(fields: URLSearchParams): string | null | undefined {
  const value = textIn(fields, 'parent');
  return value === 'root' ? null : value;
}

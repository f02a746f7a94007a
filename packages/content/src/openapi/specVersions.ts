import {
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';

/** A stored version of a specification. */
export type SpecVersion = { id: string; organization: string; blob: string };

/** Content may name any number of specifications; a page or a book shows no more than these. */
const maxNames = 200;

/**
 * Finds the latest versions of specifications by their slugs or ids, under these names. Omits those that the
 * filter excludes, and those without a version.
 *
 * @param visible  a filter for the specifications that the reader may see
 */
export async function findLatestVersions(
  organization: string,
  names: Iterable<string>,
  visible: object = {},
): Promise<Map<string, SpecVersion>> {
  const wanted = [...new Set(names)].slice(0, maxNames);
  if (wanted.length === 0) return new Map();
  const among = { organization, $or: [{ slug: { $in: wanted } }, { _id: { $in: wanted } }] };
  const specs = await OpenAPISpec.find({ $and: [among, visible] }).lean<OpenAPISpecRecord[]>();
  return findVersionsOf(specsByName(wanted, specs), organization);
}

/** Specifications under the names that content has for them: their slugs or ids. */
export function specsByName(
  names: readonly string[],
  specs: readonly OpenAPISpecRecord[],
): Map<string, OpenAPISpecRecord> {
  return new Map(
    names.flatMap((name) => {
      // The slug of one specification may look like the id of another; the slug wins.
      const spec = specs.find(({ slug }) => slug === name) ?? specs.find(({ _id }) => _id === name);
      return spec ? [[name, spec] as const] : [];
    }),
  );
}

/** Finds the latest versions of specifications, under the same names; omits specifications without one. */
export async function findVersionsOf(
  specs: ReadonlyMap<string, OpenAPISpecRecord>,
  organization: string,
): Promise<Map<string, SpecVersion>> {
  const ids = [
    ...new Set(specs.values().flatMap(({ lastVersion }) => (lastVersion === undefined ? [] : [lastVersion]))),
  ];
  const versions = await findVersions(organization, ids);
  return new Map(
    specs.entries().flatMap(([name, { lastVersion }]): [string, SpecVersion][] => {
      const version = versions.get(lastVersion ?? '');
      return version ? [[name, version]] : [];
    }),
  );
}

/** Finds versions by their ids; omits those that are deleted. */
export async function findVersions(
  organization: string,
  ids: readonly string[],
): Promise<Map<string, SpecVersion>> {
  if (ids.length === 0) return new Map();
  const records = await OpenAPISpecVersion.find(
    { _id: { $in: ids }, organization },
    { organization: 1, filesystem: 1 },
  ).lean<OpenAPISpecVersionRecord[]>();
  return new Map(records.map(({ _id: id, filesystem: { blob } }) => [id, { id, organization, blob }]));
}

import { collectOrganization, type Collected, type FileItem } from '@bindery/content';
import {
  databaseTime,
  mongoDatabase,
  type OrganizationRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { buildFile, buildRevision, buildSpace } from '../factories.ts';

const collections = { nodes: '_id', documents: '_id', 'blobs.files': 'filename' } as const;

/** Creates a space with a page and a file that no other space has. */
export async function buildFilledSpace(
  organization: OrganizationRecord,
  blobs: BlobStore,
): Promise<{ space: SpaceRecord; file: FileItem }> {
  const space = await buildSpace(organization, { title: `Space ${newId()}` });
  const file = await buildFile(blobs, organization._id, {
    id: 'f',
    name: 'a.txt',
    bytes: `bytes ${newId()}`,
  });
  await buildRevision(space, { pages: [{ id: 'p', path: 'p', source: `# ${newId()}` }], files: [file] });
  return { space, file };
}

/**
 * Removes all unreachable content of an organization without a grace period: the first collection marks it,
 * the second one removes it.
 */
export async function collectAtOnce(
  organization: string,
  blobs: BlobStore,
  options: { marksAtOnce?: number } = {},
): Promise<Collected> {
  const { signal } = new AbortController();
  const collect = async () =>
    collectOrganization(organization, { blobs, before: await databaseTime(), signal, ...options });
  await collect();
  return collect();
}

/** Ages all marks and uncleared removals by `ms` milliseconds. */
export async function passTime(ms: number): Promise<void> {
  const earlier = (field: string) => [{ $set: { [field]: { $subtract: [`$${field}`, ms] } } }];
  for (const name of Object.keys(collections)) {
    for (const field of ['unreachableSince', 'removedAt'])
      await mongoDatabase()
        .collection(name)
        .updateMany({ [field]: { $exists: true } }, earlier(field));
  }
}

/** Lists the names of everything stored for an organization, as `<collection>/<name>`. */
export async function storedNames(organization: string): Promise<string[]> {
  const names = Object.entries(collections).map(async ([collection, field]) => {
    const records = await mongoDatabase()
      .collection(collection)
      .find({ [field]: { $regex: `^${organization}:` } })
      .toArray();
    return records.map((record) => `${collection}/${String(record[field]).slice(organization.length + 1)}`);
  });
  return (await Promise.all(names)).flat().toSorted();
}

type Item = { children?: string; document?: string; blob?: string };

/**
 * Computes the content that an organization must have stored, in the simplest way: in memory, and without the
 * platform's own code.
 *
 * @returns as `storedNames`
 */
export async function neededNames(organization: string): Promise<string[]> {
  const database = mongoDatabase();
  const all = await database.collection<{ _id: string; items: Item[] }>('nodes').find().toArray();
  const nodes = new Map(all.map(({ _id, items }) => [_id, items]));
  const needed = new Set<string>();
  const visit = (node: string) => {
    if (needed.has(`nodes/${node}`)) return;
    needed.add(`nodes/${node}`);
    for (const { children, document, blob } of nodes.get(`${organization}:${node}`) ?? []) {
      if (children !== undefined) visit(children);
      if (document !== undefined) needed.add(`documents/${document}`);
      if (blob !== undefined) needed.add(`blobs.files/${blob}`);
    }
  };
  const spaces = await database.collection<SpaceRecord>('spaces').find({ organization }).toArray();
  const of = { space: { $in: spaces.map(({ _id }) => _id) } };
  for (const { pages, files, reusableContents } of await database
    .collection<RevisionRecord>('revisions')
    .find(of)
    .toArray())
    [pages, files, reusableContents].forEach(visit);
  for (const { root, begun } of await database.collection('spaceIndexes').find(of).toArray())
    [...(root ? [root] : []), ...begun].forEach(visit);
  for (const { source } of await database.collection('openapiSpecs').find({ organization }).toArray())
    for (const key of [source.blob, source.archive?.key]) if (key) needed.add(`blobs.files/${key}`);
  for (const { document, otherFiles, bundle, yaml, filesystem, index, findings, review } of await database
    .collection('openapiSpecVersions')
    .find({ organization })
    .toArray())
    for (const stored of [document, otherFiles, bundle, yaml, filesystem, index, findings, review?.lint])
      if (stored) needed.add(`blobs.files/${stored.blob}`);
  for (const { result, input } of await database.collection('jobs').find({ organization }).toArray()) {
    const files = [result?.['file'], ...(input['files'] ?? []).map(({ key }: { key: string }) => key)];
    for (const name of files) if (name !== undefined) needed.add(`blobs.files/${name}`);
  }
  return [...needed].toSorted();
}

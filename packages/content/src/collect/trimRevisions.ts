import { mongoDatabase, Revision, SpaceIndex, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { faultPoint } from '@bindery/runtime';
import { revisionNames, textsAt } from './roots.ts';

const recordsAtOnce = 500;

/**
 * Removes revisions of a space that had a successor before a given time, unless a field of `revisionNames`
 * names them. Later collections remove their content.
 *
 * @returns how many were removed
 */
export async function trimRevisions(
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  { before, signal }: { before: Date; signal: AbortSignal },
): Promise<number> {
  const old = () =>
    Revision.find({ space: space._id, createdAt: { $lt: before } }, { pages: 1 })
      // The newest of them was still the latest revision at that time.
      .sort({ createdAt: -1, _id: -1 })
      .skip(1)
      .lean<Pick<RevisionRecord, '_id' | 'pages'>[]>();
  if ((await old().limit(1)).length === 0) return 0;
  const named = await namesIn(space);
  let removed = 0;
  let batch: string[] = [];
  const remove = async () => {
    signal.throwIfAborted();
    removed += (await Revision.deleteMany({ _id: { $in: batch }, space: space._id })).deletedCount;
    batch = [];
    await faultPoint('storage.revisions_trimmed');
  };
  for await (const { _id, pages } of old().cursor({ batchSize: recordsAtOnce })) {
    if (named.has(_id) || named.has(pages)) continue;
    batch.push(_id);
    if (batch.length === recordsAtOnce) await remove();
  }
  if (batch.length > 0) await remove();
  return removed;
}

/**
 * The ids of named revisions, and the roots of the page trees that the search index was built from. Revisions
 * with these roots stay, because transferring a space copies only the content of its revisions.
 */
async function namesIn({
  _id: space,
  organization,
}: Pick<SpaceRecord, '_id' | 'organization'>): Promise<Set<string>> {
  const named = new Set<string>();
  for (const { collection, of, fields } of revisionNames) {
    const projection = Object.fromEntries(fields.map((field) => [field, 1]));
    for await (const record of mongoDatabase()
      .collection(collection)
      .find(of(space, organization), { projection, batchSize: recordsAtOnce }))
      for (const field of fields) for (const name of textsAt(record, field)) named.add(name);
  }
  for (const { root, begun } of await SpaceIndex.find({ space }).lean())
    for (const hash of [root ?? '', ...begun]) named.add(hash);
  return named;
}

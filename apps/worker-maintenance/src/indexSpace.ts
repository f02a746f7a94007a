import { setImmediate as nextTurn } from 'node:timers/promises';
import { changedPages, indexedPage, loadDocuments, type PlacedPage } from '@bindery/content';
import {
  IndexedPage,
  indexFormat,
  Revision,
  Space,
  SpaceIndex,
  withTransaction,
  type IndexedPageRecord,
  type RevisionRecord,
  type SpaceIndexRecord,
  type SpaceRecord,
} from '@bindery/models';
import { faultPoint, type Logger } from '@bindery/runtime';

/** What one transaction writes: with more of it others wait longer, with less each page costs more. */
const pagesAtOnce = 50;
const charactersAtOnce = 1_000_000;

/** Somebody else indexes the space now, or it is not what it was: nothing more may be written. */
class Superseded extends Error {}

/**
 * Has the index follow the main content of a space.
 *
 * It reads what changed since the last time, and writes that in transactions, each of which is only good while no later run has begun. So it may
 * die anywhere, be paused, and run twice at once: what it began is known (`begun`), and the next run does it again.
 *
 * @returns false when another run has taken over; a space that is not there (any more) is nothing to do
 */
export async function indexSpace(id: string, { logger, signal }: { logger: Logger; signal: AbortSignal }): Promise<boolean> {
  const found = await findSpace(id);
  if (!found) return true;
  const { space, revision } = found;
  const root = revision.pages;
  const state = await beginRun(space, root);
  await faultPoint('index.begun');
  const { changed, removed } = await workFor(state, { space, root });
  const run = { space, state, logger, signal };
  try {
    let pages = new Map<string, IndexedPageRecord[]>();
    let characters = 0;
    for await (const [id, records] of readPages(changed, run)) {
      if (records.length === 0) {
        removed.push(id);
        continue;
      }
      // Not after the last one: a small change is one transaction.
      if (pages.size >= pagesAtOnce || characters >= charactersAtOnce) {
        await write(run, { pages });
        [pages, characters] = [new Map(), 0];
      }
      pages.set(id, records);
      for (const { text } of records.flatMap(({ sections }) => sections)) characters += text.length;
    }
    await write(run, { pages, removed, end: { revision: space.revision, root } });
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    throw error;
  }
}

type Run = { space: SpaceRecord; state: SpaceIndexRecord; logger: Logger; signal: AbortSignal };

async function findSpace(_id: string): Promise<{ space: SpaceRecord; revision: RevisionRecord } | undefined> {
  const space = await Space.findOne({ _id, isDeleted: false }, { organization: 1, revision: 1 }).lean<SpaceRecord>();
  const revision = space && (await Revision.findOne({ _id: space.revision, space: _id }).lean<RevisionRecord>());
  return revision ? { space, revision } : undefined;
}

/** From here on no earlier run writes. */
async function beginRun({ _id }: SpaceRecord, root: string): Promise<SpaceIndexRecord> {
  const found = await SpaceIndex.findOneAndUpdate(
    { _id },
    {
      $setOnInsert: { space: _id, format: indexFormat, pages: 0, version: 0 },
      $inc: { run: 1 },
      $addToSet: { begun: root },
    },
    { upsert: true, returnDocument: 'after' },
  ).lean<SpaceIndexRecord>();
  if (!found) throw new Error(`The index of the space ${_id} did not begin.`);
  return found;
}

/** What differs from all that may be indexed: the state of the last run, and those of runs that did not come to their end. */
async function workFor(
  { root: indexed, begun, format }: SpaceIndexRecord,
  { space, root }: { space: SpaceRecord; root: string },
): Promise<{ changed: PlacedPage[]; removed: string[] }> {
  if (indexed === undefined || format !== indexFormat) {
    const { changed } = await changedPages(space.organization, { to: root });
    const wanted = new Set(changed.map(({ page }) => page.id));
    const stored = await IndexedPage.find({ space: space._id }, { page: 1 }).hint({ space: 1, page: 1 }).lean<IndexedPageRecord[]>();
    return { changed, removed: [...new Set(stored.map(({ page }) => page))].filter((page) => !wanted.has(page)) };
  }
  const changed = new Map<string, PlacedPage>();
  const removed = new Set<string>();
  for (const from of new Set([indexed, ...begun])) {
    const difference = await changedPages(space.organization, { from, to: root });
    for (const placed of difference.changed) changed.set(placed.page.id, placed);
    for (const page of difference.removed) removed.add(page);
  }
  return { changed: [...changed.values()], removed: [...removed] };
}

/** The records of each page by its id; none for one that shall not be found. */
async function* readPages(
  changed: readonly PlacedPage[],
  { space, logger, signal }: Run,
): AsyncIterable<[id: string, records: IndexedPageRecord[]]> {
  for (let start = 0; start < changed.length; start += pagesAtOnce) {
    const pages = changed.slice(start, start + pagesAtOnce);
    const sources = await loadDocuments(space.organization, [...new Set(pages.flatMap(({ page }) => page.document ?? []))]);
    for (const placed of pages) {
      signal.throwIfAborted();
      // Reading a page takes a while: in between, leases are renewed and others have their turn.
      await nextTurn();
      const { id, document } = placed.page;
      const records = await indexedPage(placed, {
        organization: space.organization,
        space: space._id,
        source: document === undefined ? undefined : sources.get(document),
        onProblem: (error) =>
          logger.warn({ err: error, space: space._id, page: id }, 'a page could not be read for search; it is found by its title'),
      });
      yield [id, records];
    }
  }
}

/** Pages by their ids, with all records of each: others that it has go. */
type Batch = {
  pages: ReadonlyMap<string, readonly IndexedPageRecord[]>;
  removed?: readonly string[];
  end?: { revision: string; root: string };
};

async function write({ space: { _id }, state, signal }: Run, { pages, removed = [], end }: Batch): Promise<void> {
  signal.throwIfAborted();
  const after = [...pages.values()].flat();
  const kept = new Set(after.map((record) => record._id));
  const written = [...pages.keys(), ...removed];
  await withTransaction(async (session) => {
    const before =
      written.length === 0
        ? []
        : await IndexedPage.find({ space: _id, page: { $in: written } }, { audience: 1, conditions: 1 })
            .hint({ space: 1, page: 1 })
            .session(session)
            .lean<IndexedPageRecord[]>();
    const gone = before.map((record) => record._id).filter((id) => !kept.has(id));
    const writes = [
      ...after.map((record) => ({ replaceOne: { filter: { _id: record._id }, replacement: record, upsert: true } })),
      ...(gone.length > 0 ? [{ deleteMany: { filter: { _id: { $in: gone } } } }] : []),
    ];
    // The driver's own: the records are as they shall be, and mongoose would look at each word.
    if (writes.length > 0) await IndexedPage.collection.bulkWrite(writes as never[], { session, ordered: false });
    const more = { pages: count(after, isPage) - count(before, isPage), openPages: count(after, isOpen) - count(before, isOpen) };
    // A later run and the removal of the space write this record too, so of those that write at once only one can.
    const { matchedCount } = await SpaceIndex.updateOne(
      { _id, run: state.run },
      { $inc: { version: 1, ...more }, ...(end && { $set: { ...end, format: indexFormat, begun: [] } }) },
      { session },
    );
    if (matchedCount !== 1) throw new Superseded();
  });
  await faultPoint('index.written');
}

function count(records: readonly IndexedPageRecord[], is: (record: IndexedPageRecord) => boolean): number {
  return records.filter(is).length;
}

/** Whether it is what members find of a page: each page has one such record. */
function isPage({ audience }: IndexedPageRecord): boolean {
  return audience !== 'visitors';
}

/** Whether it is what every visitor finds of a page; no record of an earlier version is. */
function isOpen({ audience, conditions = [] }: IndexedPageRecord): boolean {
  return (audience === 'everybody' || audience === 'visitors') && conditions.length === 0;
}

import { changedPages, describeOpenapiBlocks, recordMentions, type PlacedPage } from '@bindery/content';
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
import type { DocumentTree } from '@bindery/contract';
import { faultPoint, type Logger } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { pagesAtOnce, readPages } from './readPages.ts';
import { openSpecsOfSpace } from './specsOfSpace.ts';

/** With `pagesAtOnce`, the size of one transaction: a larger one makes others wait longer. */
const charactersAtOnce = 1_000_000;

/** Another run indexes the space, or the space has changed: nothing more may be written. */
class Superseded extends Error {}

/**
 * Updates the search index of a space to its main content.
 *
 * Reads the changes since the last run and writes them in transactions, each valid only while no later run
 * has begun. So a run may die anywhere, be paused, and run twice at once: its progress is recorded (`begun`),
 * and the next run repeats it.
 *
 * @param specs  slugs and ids of specifications whose pages are indexed again, though they have not changed
 * @returns false when another run has taken over; a missing space needs no work
 */
export async function indexSpace(
  id: string,
  {
    logger,
    signal,
    blobs,
    specs = [],
  }: { logger: Logger; signal: AbortSignal; blobs: BlobStore; specs?: readonly string[] | undefined },
): Promise<boolean> {
  const found = await findSpace(id);
  if (!found) return true;
  const { space, revision } = found;
  const root = revision.pages;
  const state = await beginRun(space, root);
  await faultPoint('index.begun');
  // Before specifications are read: a version that is published later then finds this space.
  await recordMentions(revision, { signal });
  const { changed, removed } = await workFor(state, { space, root, specs });
  const specsOf = openSpecsOfSpace(space);
  const describe = async (document: DocumentTree) =>
    describeOpenapiBlocks(document, { versions: await specsOf(document), blobs });
  const run = { space, state, logger, signal, describe };
  try {
    let pages = new Map<string, IndexedPageRecord[]>();
    let characters = 0;
    for await (const [id, records] of readPages(changed, run)) {
      if (records.length === 0) {
        removed.push(id);
        continue;
      }
      // Not after the last page, so that a small change is one transaction.
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

type Run = {
  space: SpaceRecord;
  state: SpaceIndexRecord;
  logger: Logger;
  signal: AbortSignal;
  describe: (document: DocumentTree) => Promise<DocumentTree>;
};

async function findSpace(_id: string): Promise<{ space: SpaceRecord; revision: RevisionRecord } | undefined> {
  const space = await Space.findOne(
    { _id, isDeleted: false },
    { organization: 1, revision: 1, access: 1 },
  ).lean<SpaceRecord>();
  const revision =
    space && (await Revision.findOne({ _id: space.revision, space: _id }).lean<RevisionRecord>());
  return revision ? { space, revision } : undefined;
}

/** Begins a run; earlier runs can no longer write. */
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

/**
 * Lists the differences to everything that may be indexed: the state of the last complete run, and those of
 * unfinished runs.
 */
async function workFor(
  { root: indexed, begun, format }: SpaceIndexRecord,
  { space, root, specs }: { space: SpaceRecord; root: string; specs: readonly string[] },
): Promise<{ changed: PlacedPage[]; removed: string[] }> {
  if (indexed === undefined || format !== indexFormat) {
    const { changed } = await changedPages(space.organization, { to: root });
    const wanted = new Set(changed.map(({ page }) => page.id));
    const stored = await IndexedPage.find({ space: space._id }, { page: 1 })
      .hint({ space: 1, page: 1 })
      .lean<IndexedPageRecord[]>();
    return {
      changed,
      removed: [...new Set(stored.map(({ page }) => page))].filter((page) => !wanted.has(page)),
    };
  }
  const changed = new Map<string, PlacedPage>();
  const removed = new Set<string>();
  for (const from of new Set([indexed, ...begun])) {
    const difference = await changedPages(space.organization, { from, to: root });
    for (const placed of difference.changed) changed.set(placed.page.id, placed);
    for (const page of difference.removed) removed.add(page);
  }
  for (const placed of await pagesWithSpecs(specs, { space, root })) changed.set(placed.page.id, placed);
  return { changed: [...changed.values()], removed: [...removed] };
}

/** The pages that show these specifications according to the index; one that came since is read anyway. */
async function pagesWithSpecs(
  specs: readonly string[],
  { space: { _id, organization }, root }: { space: SpaceRecord; root: string },
): Promise<PlacedPage[]> {
  if (specs.length === 0) return [];
  // Not through the records of all pages of the space, which have their words.
  const found = await IndexedPage.find({ space: _id, specs: { $in: [...specs] } }, { page: 1 })
    .hint({ space: 1, specs: 1 })
    .lean<IndexedPageRecord[]>();
  if (found.length === 0) return [];
  const showing = new Set(found.map(({ page }) => page));
  const { changed: all } = await changedPages(organization, { to: root });
  return all.filter(({ page }) => showing.has(page.id));
}

/** Pages by id, with all their records; other records of these pages are removed. */
type Batch = {
  pages: ReadonlyMap<string, readonly IndexedPageRecord[]>;
  removed?: readonly string[];
  end?: { revision: string; root: string };
};

async function write(
  { space: { _id }, state, signal }: Run,
  { pages, removed = [], end }: Batch,
): Promise<void> {
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
      ...after.map((record) => ({
        replaceOne: { filter: { _id: record._id }, replacement: record, upsert: true },
      })),
      ...(gone.length > 0 ? [{ deleteMany: { filter: { _id: { $in: gone } } } }] : []),
    ];
    // The driver, because the records are already in their stored form and mongoose would validate each word.
    if (writes.length > 0)
      await IndexedPage.collection.bulkWrite(writes as never[], {
        session,
        ordered: false,
        ignoreUndefined: true,
      });
    const more = {
      pages: count(after, isPage) - count(before, isPage),
      openPages: count(after, isOpen) - count(before, isOpen),
    };
    // A later run and the removal of the space also write this record, so only one of several concurrent
    // writers succeeds.
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

/** Whether a record is the one that members find; each page has one. */
function isPage({ audience }: IndexedPageRecord): boolean {
  return audience !== 'visitors';
}

/** Whether every visitor finds the record; false for records of an earlier version. */
function isOpen({ audience, conditions = [] }: IndexedPageRecord): boolean {
  return (audience === 'everybody' || audience === 'visitors') && conditions.length === 0;
}

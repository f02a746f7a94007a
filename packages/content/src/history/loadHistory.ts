import {
  PageHistory,
  PageHistoryPart,
  type PageHistoryPartRecord,
  type PageHistoryRecord,
} from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { isAbout, partOf, unpackPart, type HistoryPart, type PageEntry } from './historyPart.ts';

/** The parts last shown, by their ids; they are immutable. The limit applies to the total number of files. */
const kept = new LRUCache<string, HistoryPart>({
  maxSize: 100_000,
  sizeCalculation: ({ size }) => 1 + size,
});

/** Loads the record of the history of a space's pages; undefined if none was read. */
export async function findPageHistory(space: string): Promise<PageHistoryRecord | undefined> {
  return (await PageHistory.findById(space).lean<PageHistoryRecord>()) ?? undefined;
}

/** Finds the history of a page by its place in the branch. */
export type PageHistoryLookup = (git: { path: string; oid: string }) => PageEntry | undefined;

/**
 * Loads the history of pages for showing it.
 *
 * A page has a history only while it is the file that the history is about: that of an earlier revision may
 * have another text.
 *
 * @param paths  of the files that will be asked for; all by default
 */
export async function loadPageHistory(
  { parts }: Pick<PageHistoryRecord, 'parts'>,
  paths?: readonly string[],
): Promise<PageHistoryLookup> {
  if (parts.length === 0) return () => undefined;
  const needed = new Set(paths ? paths.map((path) => parts[partOf(path, parts.length)]!) : parts);
  const found = new Map<string, HistoryPart>();
  for (const id of needed) {
    const part = kept.get(id);
    if (part) found.set(id, part);
  }
  const loaded = await unpackParts([...needed].filter((id) => !found.has(id)));
  for (const [id, part] of loaded) {
    kept.set(id, part);
    found.set(id, part);
  }
  return ({ path, oid }) => {
    const entry = found.get(parts[partOf(path, parts.length)]!)?.get(path);
    return entry && isAbout(entry, oid) ? entry : undefined;
  };
}

/** Loads parts by their ids, without those that a newer history has taken the place of. */
export async function unpackParts(ids: readonly string[]): Promise<Map<string, HistoryPart>> {
  if (ids.length === 0) return new Map();
  const records = await PageHistoryPart.find({ _id: { $in: ids } }).lean<PageHistoryPartRecord[]>();
  const parts = records.map(async ({ _id, packed }) => [_id, await unpackPart(packed)] as const);
  return new Map(await Promise.all(parts));
}

import {
  PageHistory,
  PageHistoryPart,
  Space,
  type ClientSession,
  type PageHistoryPartRecord,
  type PageHistoryRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { applyHistory, pathsOf, type HistoryChanges } from './applyHistory.ts';
import { packPart, partOf, type HistoryPart, type PageEntry } from './historyPart.ts';
import { unpackParts } from './loadHistory.ts';

/** The number of files in a part, when it is made and at most. */
const filesPerPart = 1024;
const maxFilesPerPart = 4 * filesPerPart;
/** Files of all times, removed ones among them; beyond that the oldest are left out. */
const maxFiles = 200_000;

export type NewHistory = Pick<
  PageHistoryRecord,
  'space' | 'point' | 'commit' | 'folder' | 'isUnsupported'
> & {
  /** The history from which it goes on; undefined to begin anew. */
  before: PageHistoryRecord | undefined;
  changes: HistoryChanges;
};

/**
 * Stores what commits did to the pages. Only the parts with these pages are written anew.
 *
 * @returns the last write, for a transaction: the history does not change before it. It writes nothing if the
 *   space wants no history any more
 */
export async function prepareHistory({
  before,
  changes,
  ...fields
}: NewHistory): Promise<(session: ClientSession) => Promise<void>> {
  const parts = await writeParts(fields.space, before?.parts ?? [], changes);
  return async (session) => {
    const { space } = fields;
    const version = newId();
    const wanted = { _id: space, gitHistory: { $ne: false } };
    const { matchedCount } = await Space.updateOne(wanted, { historyVersion: version }, { session });
    if (matchedCount === 0) return;
    const record = { ...fields, parts, version, updatedAt: new Date() };
    await PageHistory.replaceOne({ _id: space }, record, { session, upsert: true });
    await PageHistoryPart.deleteMany({ space, _id: { $nin: parts } }, { session });
  };
}

/** Removes the histories of spaces. */
export async function removeHistory(spaces: readonly string[], session?: ClientSession): Promise<void> {
  const filter = { space: { $in: spaces } };
  await PageHistory.deleteMany(filter, { session });
  await PageHistoryPart.deleteMany(filter, { session });
}

/** @returns the ids of all parts, of which those without changes stay */
async function writeParts(
  space: string,
  before: readonly string[],
  changes: HistoryChanges,
): Promise<string[]> {
  const numberOf = (path: string) => partOf(path, before.length);
  const needed = before.length === 0 ? [] : [...new Set(Array.from(pathsOf(changes), numberOf))];
  const known = await loadParts(needed.map((number) => [number, before[number]!]));
  const entries = applyHistory(changes, joined(known.values()));
  if (entries.size === 0) return [...before];
  for (const [path, entry] of entries) known.get(numberOf(path))?.set(path, entry);
  if (before.length === 0 || known.values().some(({ size }) => size > maxFilesPerPart))
    return insertAnew(space, joined([...(await loadParts([...before.entries()])).values(), entries]));
  const changed = [...new Set(Array.from(entries.keys(), numberOf))];
  const ids = await insertParts(
    space,
    changed.map((number) => known.get(number)!),
  );
  return before.map((id, number) => ids[changed.indexOf(number)] ?? id);
}

async function insertAnew(space: string, entries: HistoryPart): Promise<string[]> {
  const newestFirst = (one: PageEntry, other: PageEntry) =>
    Number(one.oid === '') - Number(other.oid === '') || (other.at ?? 0) - (one.at ?? 0);
  const kept =
    entries.size > maxFiles
      ? [...entries].toSorted(([, one], [, other]) => newestFirst(one, other)).slice(0, maxFiles)
      : entries;
  const parts = Array.from({ length: Math.ceil(entries.size / filesPerPart) }, (): HistoryPart => new Map());
  for (const [path, entry] of kept) parts[partOf(path, parts.length)]!.set(path, entry);
  return insertParts(space, parts);
}

async function insertParts(space: string, parts: readonly HistoryPart[]): Promise<string[]> {
  const records: PageHistoryPartRecord[] = [];
  for (const part of parts) records.push({ _id: newId(), space, packed: await packPart(part) });
  await PageHistoryPart.insertMany(records);
  return records.map(({ _id }) => _id);
}

/** Loads parts by their number; a missing one is empty. */
async function loadParts(
  ids: readonly (readonly [number: number, id: string])[],
): Promise<Map<number, HistoryPart>> {
  const found = await unpackParts(ids.map(([, id]) => id));
  return new Map(ids.map(([number, id]) => [number, found.get(id) ?? new Map()]));
}

function joined(parts: Iterable<HistoryPart>): HistoryPart {
  const all: HistoryPart = new Map();
  for (const part of parts) for (const [path, entry] of part) all.set(path, entry);
  return all;
}

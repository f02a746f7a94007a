import type { GitExportChanges, GitExportEntry } from '@bindery/contract';
import type { ExportedContent, ExportPlan, ExportTarget, FileChange } from '../export/types.ts';
import { diffBlocks } from './diffBlocks.ts';
import { diffLines } from './diffLines.ts';
import { ownersOfFiles, type Owner, type Owners } from './ownersOfFiles.ts';
import { createReport } from './report.ts';

type Files = GitExportChanges['files'];
type Written = Exclude<FileChange, { kind: 'remove' }>;
/** A text to write: the blob that it replaces, and how to compare the two. */
type Source = { oid: string; bytes: Uint8Array; isPage: boolean };
type WithSource<Entry> = { entry: Entry; source?: Source };

/**
 * Describes the changes that an export would make to a repository: see `GitExportChanges`. Counts are exact;
 * lists are limited to about a megabyte. Reads only the replaced texts from the repository.
 *
 * @param repository.synced     the content last in sync with the branch, with its git locations; absent when
 *   the two never were
 * @param repository.needsForce whether the branch has changes that the space has not imported
 */
export async function describeExport(
  plan: ExportPlan,
  repository: {
    content: ExportedContent;
    synced?: ExportedContent;
    target: ExportTarget;
    needsForce: boolean;
  },
): Promise<GitExportChanges> {
  const files = sortOut(plan, repository);
  const report = createReport();
  const listed = { changed: report.list(files.changed, entryIn), moved: report.list(files.moved, entryIn) };
  const changes: GitExportChanges = {
    direction: 'export',
    needsForce: repository.needsForce,
    totals: {
      files: {
        added: files.added.length,
        removed: files.removed.length,
        changed: files.changed.length,
        moved: files.moved.length,
      },
    },
    files: {
      removed: report.list(files.removed),
      added: report.list(files.added),
      changed: listed.changed.map(entryIn),
      moved: listed.moved.map(entryIn),
    },
    omitted: report.omitted,
  };
  const texts = [...listed.changed, ...listed.moved].flatMap(({ entry, source }) =>
    source ? [{ entry, source }] : [],
  );
  // Reads all texts at once, because over a network the number of requests determines the time.
  const replaced =
    texts.length > 0 ? await repository.target.readBlobs(texts.map(({ source }) => source.oid)) : undefined;
  await report.addBlocks(texts, {
    read: async (sources) =>
      sources.map(({ oid, bytes }) => {
        const before = replaced?.get(oid);
        return before && { before: textOf(before), after: textOf(bytes) };
      }),
    diff: ({ before, after }, { isPage }) => (isPage ? diffBlocks(before, after) : diffLines(before, after)),
  });
  return changes;
}

function entryIn<Entry>({ entry }: WithSource<Entry>): Entry {
  return entry;
}

type Sorted = {
  added: GitExportEntry[];
  removed: GitExportEntry[];
  changed: WithSource<Files['changed'][number]>[];
  moved: WithSource<Files['moved'][number]>[];
};

function sortOut(
  { changes, ...places }: ExportPlan,
  { content, synced, target }: Parameters<typeof describeExport>[1],
): Sorted {
  const owners = ownersOfFiles(places, { content, synced });
  const sizes = sizesOf(content, target);
  const written = changes.filter((change): change is Written => change.kind !== 'remove');
  const moves = movesIn(changes, { owners, target });
  const left = new Set(moves.values());
  const sorted: Sorted = { added: [], removed: [], changed: [], moved: [] };
  for (const change of written) {
    const { path } = change;
    const entry = { ...entryOf(path, owners.after(path)), ...sizeBytes(sizes.after(change)) };
    const from = moves.get(path);
    const old = target.entries.get(from ?? path);
    if (!old) {
      sorted.added.push(entry);
      continue;
    }
    const isPage = entry.page !== undefined || entry.reusableContent !== undefined;
    const source =
      change.kind === 'text' && change.oid !== old.oid
        ? { source: { oid: old.oid, bytes: change.bytes, isPage } }
        : {};
    const previous = sizeBytes(old.sizeBytes);
    if (from === undefined) sorted.changed.push({ entry: { ...entry, previous }, ...source });
    else sorted.moved.push({ entry: { ...entry, previous: { path: from, ...previous } }, ...source });
  }
  for (const { kind, path } of changes) {
    if (kind !== 'remove' || left.has(path)) continue;
    sorted.removed.push({
      ...entryOf(path, owners.before(path)?.owner),
      ...sizeBytes(target.entries.get(path)?.sizeBytes),
    });
  }
  return sorted;
}

/**
 * Maps the new path of each moved file to its old path: the old one is removed, and nothing was at the new
 * one.
 */
function movesIn(
  changes: readonly FileChange[],
  { owners, target }: { owners: Owners; target: ExportTarget },
): Map<string, string> {
  const added = new Set(
    changes.flatMap(({ kind, path }) => (kind === 'remove' || target.entries.has(path) ? [] : [path])),
  );
  const moves = new Map<string, string>();
  for (const { kind, path } of changes) {
    const to = kind === 'remove' ? owners.before(path)?.path : undefined;
    if (to !== undefined && added.has(to)) moves.set(to, path);
  }
  return moves;
}

function entryOf(path: string, owner: Owner | undefined): GitExportEntry {
  if (!owner) return { path };
  const { id: _, ...standsFor } = owner;
  return { path, ...standsFor };
}

function sizesOf({ files }: ExportedContent, { entries }: ExportTarget) {
  const stored = new Map(files.map(({ blob, sizeBytes: size }) => [blob, size]));
  const inRepository = new Map(Array.from(entries.values(), ({ oid, sizeBytes: size }) => [oid, size]));
  return {
    after: (change: Written) => {
      if (change.kind === 'text') return change.bytes.length;
      return change.kind === 'file' ? stored.get(change.blob) : inRepository.get(change.oid);
    },
  };
}

function sizeBytes(size: number | undefined): { sizeBytes?: number } {
  return size === undefined ? {} : { sizeBytes: size };
}

/** Bytes that are not UTF-8 become replacement characters. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

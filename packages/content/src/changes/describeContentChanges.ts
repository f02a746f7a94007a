import type { GitImportChanges } from '@bindery/contract';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { RevisionContent } from '../store/revisions.ts';
import { compareFiles, compareReusableContents, compareValues } from './compareItems.ts';
import { comparePages, type ChangedSource } from './comparePages.ts';
import { diffBlocks } from './diffBlocks.ts';
import { createReport } from './report.ts';

/** Maximum length of a shown variable or redirect. */
const maxValue = 4_000;

/**
 * Describes the changes that an import would make to a space: see `GitImportChanges`. Counts are exact; lists
 * are limited to about a megabyte. Writes nothing.
 *
 * @param sourcesOf  the sources of pages and reusable contents by their hash, a few at a time
 */
export async function describeContentChanges(
  before: RevisionContent,
  after: RevisionContent,
  {
    sourcesOf,
    signal,
  }: { sourcesOf(hashes: string[]): Promise<ReadonlyMap<string, PageSource>>; signal?: AbortSignal },
): Promise<GitImportChanges> {
  const pages = comparePages(before.pages, after.pages);
  const files = compareFiles(before.files, after.files);
  const contents = compareReusableContents(before.reusableContents, after.reusableContents);
  const variables = compareValues(valuesOf(before.variables), valuesOf(after.variables));
  const redirects = compareValues(targetsOf(before.redirects), targetsOf(after.redirects));

  const report = createReport(signal);
  const changed = {
    pages: report.list(pages.changed, entryOf),
    contents: report.list(contents.changed, entryOf),
  };
  const changes: GitImportChanges = {
    direction: 'import',
    totals: {
      pages: countsOf(pages),
      reusableContents: countsOf(contents),
      files: countsOf(files),
      variables: variables.length,
      redirects: redirects.length,
    },
    pages: {
      removed: report.list(pages.removed),
      moved: report.list(pages.moved),
      added: report.list(pages.added),
      changed: changed.pages.map(entryOf),
    },
    reusableContents: {
      removed: report.list(contents.removed),
      moved: report.list(contents.moved),
      added: report.list(contents.added),
      changed: changed.contents.map(entryOf),
    },
    files: {
      removed: report.list(files.removed),
      changed: report.list(files.changed),
      moved: report.list(files.moved),
      added: report.list(files.added),
    },
    variables: report.list(variables.map(({ key, ...sides }) => ({ name: key, ...shortened(sides) }))),
    redirects: report.list(redirects.map(({ key, ...sides }) => ({ from: key, ...shortened(sides) }))),
    omitted: report.omitted,
  };
  const withSource = [...changed.pages, ...changed.contents].flatMap(({ entry, source }) =>
    source ? [{ entry, source }] : [],
  );
  await report.addBlocks(withSource, {
    read: async (sources) => {
      const found = await sourcesOf([...new Set(sources.flatMap(hashesOf))]);
      const textOf = (hash: string | undefined) => fileOf(hash === undefined ? undefined : found.get(hash));
      return sources.map((source) => {
        const isThere = hashesOf(source).every((hash) => found.has(hash));
        return isThere ? { before: textOf(source.before), after: textOf(source.after) } : undefined;
      });
    },
    diff: ({ before: old, after: now }) => diffBlocks(old, now),
  });
  return changes;
}

function entryOf<Entry>({ entry }: { entry: Entry }): Entry {
  return entry;
}

function countsOf(changes: Record<'added' | 'removed' | 'changed' | 'moved', readonly unknown[]>) {
  const { added, removed, changed, moved } = changes;
  return { added: added.length, removed: removed.length, changed: changed.length, moved: moved.length };
}

function valuesOf(variables: RevisionContent['variables']): Map<string, string | number | boolean> {
  return new Map(variables.map(({ name, value }) => [name, value]));
}

function targetsOf(redirects: RevisionContent['redirects']): Map<string, string> {
  return new Map(redirects.map(({ from, to }) => [from, to]));
}

function shortened<Value>(sides: { before?: Value; after?: Value }): { before?: Value; after?: Value } {
  const short = ([side, value]: [string, Value]) =>
    [side, typeof value === 'string' ? value.slice(0, maxValue) : value] as const;
  return Object.fromEntries(Object.entries(sides).map(short));
}

function hashesOf({ before, after }: ChangedSource): string[] {
  return [before, after].filter((hash) => hash !== undefined);
}

/** Decodes the whole file; bytes that are not UTF-8 become replacement characters. */
function fileOf(source: PageSource | undefined): string | undefined {
  return (
    source &&
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat([source.frontmatter, source.body]))
  );
}

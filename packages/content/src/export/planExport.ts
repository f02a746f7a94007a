import {
  readConfiguration,
  indexRepository,
  contentLimits,
  collectWarnings,
} from '@bindery/dialect/repository-format';
import { createChanges, type Changes } from './changes.ts';
import { fileOidsOf } from './fileOids.ts';
import { headingQuestion } from './documents/headings.ts';
import { keptTitles } from './documents/keptTitles.ts';
import { createLinkWriter } from './documents/linkWriter.ts';
import { listedPages } from './listedPages.ts';
import { findMoves, noMoves } from './placement/moves.ts';
import { keptPlacement } from './placement/keptPlacement.ts';
import { isListedAlike } from './summary/isListedAlike.ts';
import { foldersGive } from './summary/navigation.ts';
import { resultLayoutOf } from './placement/resultLayout.ts';
import { sourceLayoutOf, type SourceLayout } from './placement/sourceLayout.ts';
import { placeContent, type Placement } from './placement/placeContent.ts';
import { planDocuments } from './documents/planDocuments.ts';
import { writeRedirects } from './planRedirects.ts';
import { writeVariables } from './planVariables.ts';
import { readTarget, type TargetLayout } from './readTarget.ts';
import { withStartPage } from './documents/startPage.ts';
import { writeSummary } from './summary/summary.ts';
import { withTreePaths } from '../tree/treePaths.ts';
import type { DocumentPage } from '../store/items.ts';
import type { ExportedContent, ExportPlan, ExportSources, ExportTarget, NavigationPage } from './types.ts';
import { exportWarnings } from './warnings.ts';

export type ExportInput = {
  content: ExportedContent;
  /** The content last in sync with the branch, with its git locations in that commit. */
  synced?: ExportedContent;
  /** Whether the branch is still at that commit. */
  isInSync?: boolean;
  target: ExportTarget;
  sources: ExportSources;
};

/**
 * Plans which files of a repository an export writes, moves and removes, so that importing the result gives
 * the same content.
 *
 * Unchanged content keeps its bytes: a page whose file equals the synced one is not loaded, and an edited
 * file changes only where necessary. Foreign files are never touched.
 *
 * @throws JobError `not_found` for a project directory or content root that does not exist, `too_large` for a
 *   configuration or navigation that could not be read completely, `limit` for too much text
 */
export async function planExport({
  synced: last,
  isInSync = false,
  target: repository,
  ...given
}: ExportInput): Promise<ExportPlan> {
  const { content, sources, written } = withStartPage(
    { ...given.content, pages: withTreePaths(given.content.pages) },
    given.sources,
  );
  const synced = last && { ...last, pages: withTreePaths(last.pages) };
  const target = await readTarget(repository);
  const now = sourceLayoutOf(content, target);
  const before = synced && sourceLayoutOf(synced, target);
  const kept = isInSync && synced ? keptPlacement(content, synced) : undefined;
  const placement = kept ?? placeContent(now, { before, target, occupied: repository.occupied });
  const after = resultLayoutOf(content, placement);
  const writing = {
    before,
    placement,
    target,
    moves: kept ? noMoves : findMoves(now, { before, after, placement, root: target.root }),
    links: createLinkWriter(now, { after, target }),
    sources,
  };
  const { documents, hasHeading } = await planPages(now, {
    ...writing,
    isListed:
      kept !== undefined || (isInSync && synced !== undefined && isListedAlike(content, synced, placement)),
  });
  const oids = await fileOidsOf(content.files, { synced, sources });
  const files = new Map(
    content.files.map(({ id, blob }) => [
      id,
      { oid: oids.get(blob) as string, path: placement.files.get(id) as string },
    ]),
  );

  const changes = createChanges(target.entries);
  for (const path of removedPaths(placement)) changes.remove(path);
  for (const [path, { oid, bytes }] of documents.texts) changes.text(path, bytes, oid);
  for (const { id, blob } of content.files) {
    const { path, oid } = files.get(id) as { path: string; oid: string };
    changes.file(path, oid, blob);
  }
  const wanted =
    hasHeading &&
    listedPages(content.pages, {
      placement,
      titles: isInSync && before ? keptTitles(now, before, target) : new Map(),
      hasHeading,
    });
  writeSpaceFiles(changes, { content, placement, target, wanted, moved: movedFiles(now, before, placement) });

  return {
    changes: changes.list(),
    pages: documents.pages,
    files,
    reusableContents: documents.reusableContents,
    rewritten: new Map([...written, ...documents.rewritten]),
    warnings: exportWarnings(now, { placement, target }),
  };
}

type PlanningPages = Omit<Parameters<typeof planDocuments>[1], 'asks'> & {
  /** Whether the navigation is unchanged, provided that the files keep the titles that they state. */
  isListed: boolean;
};

type PlannedPages = {
  documents: Awaited<ReturnType<typeof planDocuments>>;
  /** Tells whether a page's file has its title as heading; absent if the navigation is unchanged. */
  hasHeading?: (id: string) => boolean;
};

/**
 * Plans the files of all pages, and tells what the navigation needs. Most exports change only texts and need
 * not read the navigation.
 */
async function planPages(now: SourceLayout, { isListed, ...writing }: PlanningPages): Promise<PlannedPages> {
  const { before, placement, target } = writing;
  if (isListed && before) {
    const hasChanged = ({ id, document }: DocumentPage) => {
      const page = before.tree.page(id)?.page;
      return page?.type !== 'document' || page.document !== document;
    };
    const documents = await planDocuments(now, { ...writing, asks: hasChanged });
    if ([...documents.headings.values()].every(Boolean)) return { documents };
  }
  const headingOf = headingQuestion(before, { placement, target });
  const documents = await planDocuments(now, { ...writing, asks: (page) => headingOf(page) === 'ask' });
  const hasHeading = new Map(
    now.written.map((page) => [page.id, documents.headings.get(page.id) ?? headingOf(page) === true]),
  );
  return { documents, hasHeading: (id) => hasHeading.get(id) ?? false };
}

/** Lists the space's files that none of its content uses any more. */
function removedPaths({ pages, files, reusableContents, ownPaths }: Placement): string[] {
  const kept = new Set([...pages.values(), ...files.values(), ...reusableContents.values()]);
  return [...ownPaths].filter((path) => !kept.has(path));
}

/** Maps the old paths of moved files to the new ones. */
function movedFiles(
  now: SourceLayout,
  before: SourceLayout | undefined,
  placement: Placement,
): Map<string, string> {
  const places = new Map([...placement.pages, ...placement.files]);
  const moved = new Map<string, string>();
  for (const { content, tree } of before ? [before, now] : [now]) {
    for (const item of [...[...tree.all()].map(({ page }) => page), ...content.files]) {
      const path = places.get(item.id);
      if (
        'git' in item &&
        item.git &&
        path !== undefined &&
        path !== item.git.path &&
        !moved.has(item.git.path)
      )
        moved.set(item.git.path, path);
    }
  }
  return moved;
}

/** Writes the variables, the redirects and the navigation, which gives the other files their meaning. */
function writeSpaceFiles(
  changes: Changes,
  {
    content,
    placement,
    target,
    wanted,
    moved,
  }: {
    content: ExportedContent;
    placement: Placement;
    target: TargetLayout;
    /** Absent if the navigation is unchanged. */
    wanted: readonly NavigationPage[] | undefined;
    moved: ReadonlyMap<string, string>;
  },
): void {
  const { root, projectDirectory, blobs, special, configurationFile, summaryFile } = target;
  const put = (path: string, before: Uint8Array | undefined, after: Uint8Array | undefined) => {
    if (after && after !== before) changes.text(path, after);
  };
  const variables = special.variables && blobs.get(special.variables);
  put(target.variablesPath, variables, writeVariables(variables, content.variables));

  const oldConfiguration = configurationFile && blobs.get(configurationFile);
  const configuration = writeRedirects(oldConfiguration, content.redirects, {
    root,
    entries: changes.entries(),
    fileOf: (page) => placement.pages.get(page),
  });
  put(target.configurationPath, oldConfiguration, configuration);

  if (!wanted) return;
  const summary = summaryFile && blobs.get(summaryFile);
  const { readme } = readConfiguration(configuration, {
    projectDirectory,
    repository: indexRepository(changes.entries()),
    warnings: collectWarnings(0),
    maxBytes: contentLimits.configurationBytes,
    mayBeMissing: true,
  });
  // A repository without SUMMARY.md stays without it while its folders give the same navigation.
  const isNew = target.entries.size === 0;
  if (!summary && !isNew && foldersGive(wanted, { entries: changes.entries(), root, landing: readme }))
    return;
  const place = {
    root,
    summary: target.summaryPath,
    entriesBefore: target.entries,
    entriesAfter: changes.entries(),
    moved,
  };
  put(target.summaryPath, summary, writeSummary(summary, wanted, place));
}

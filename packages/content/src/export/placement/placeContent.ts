import type { GitLocation } from '../../store/items.ts';
import type { SourceLayout } from './sourceLayout.ts';
import { createPathSpace } from './pathSpace.ts';
import { wishesOfFiles, wishesOfReusableContents } from './placeItems.ts';
import { wishesOfPages, type PageWish } from './placePages.ts';
import type { TargetLayout } from '../readTarget.ts';
import type { ExportTarget } from '../types.ts';

/**
 * The paths of all content after the export, by id; and the paths in the repository that belong to the space
 * before it.
 */
export type Placement = {
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
  reusableContents: ReadonlyMap<string, string>;
  ownPaths: ReadonlySet<string>;
};

/**
 * Assigns a path to every page with a document, every file and every reusable content. Never overwrites a
 * foreign file of the repository, even on a disk that ignores case.
 */
export function placeContent(
  now: SourceLayout,
  {
    before,
    target,
    occupied,
  }: { before: SourceLayout | undefined; target: TargetLayout; occupied: ExportTarget['occupied'] },
): Placement {
  const ownPaths = ownPathsOf(now, before, target);
  const { entries, configurationPath, summaryPath, variablesPath } = target;
  const taken = [...entries.keys()].filter((path) => !ownPaths.has(path));
  const others = [...taken, ...occupied, configurationPath, summaryPath, variablesPath];
  const space = createPathSpace(others);
  const foreign = createPathSpace(others);

  const wishes = {
    pages: wishesOfPages(now, before, target),
    files: wishesOfFiles(now, before, target),
    reusableContents: wishesOfReusableContents(now, before, target),
  };
  const places = {
    pages: new Map<string, string>(),
    files: new Map<string, string>(),
    reusableContents: new Map<string, string>(),
  };
  const kinds = ['pages', 'files', 'reusableContents'] as const;
  const claimed = new Set<string>();
  const keep = (kind: (typeof kinds)[number], may: (path: string) => boolean) => {
    for (const { id, kept } of wishes[kind]) {
      if (kept === undefined || places[kind].has(id) || claimed.has(kept) || !may(kept)) continue;
      places[kind].set(id, kept);
      claimed.add(kept);
      space.take(kept);
    }
  };
  // Files in the repository keep their paths, even next to nearly equal names.
  for (const kind of kinds) keep(kind, (path) => ownPaths.has(path) && entries.has(path));
  // So do files that were there before, and new ones at free paths.
  for (const kind of kinds) keep(kind, (path) => ownPaths.has(path) && foreign.isFree(path));
  for (const kind of kinds) keep(kind, (path) => space.isFree(path));
  for (const kind of kinds) {
    for (const wish of wishes[kind]) {
      if (places[kind].has(wish.id)) continue;
      const path = freePath(wish, (wanted) => space.isFree(wanted));
      places[kind].set(wish.id, path);
      space.take(path);
    }
  }
  return { ...places, ownPaths };
}

function freePath({ wanted, numbered }: PageWish, isFree: (path: string) => boolean): string {
  const free = wanted.find(isFree);
  if (free !== undefined) return free;
  for (let number = 1; ; number += 1) if (isFree(numbered(number))) return numbered(number);
}

/**
 * The paths of the space: those of the last sync, or on a branch that was never in sync, those in its
 * navigation and special folder; and identical files.
 */
function ownPathsOf(
  now: SourceLayout,
  before: SourceLayout | undefined,
  { entries, ownPaths }: Pick<TargetLayout, 'entries' | 'ownPaths'>,
): Set<string> {
  const own = new Set(before ? gitLocationsOf(before).map(({ path }) => path) : ownPaths());
  for (const { oid, path } of gitLocationsOf(now)) if (entries.get(path)?.oid === oid) own.add(path);
  return own;
}

function gitLocationsOf({ content, tree }: SourceLayout): GitLocation[] {
  const pages = [...tree.all()].map(({ page }) => page);
  return [...pages, ...content.files, ...content.reusableContents].flatMap((item) =>
    'git' in item && item.git ? [item.git] : [],
  );
}

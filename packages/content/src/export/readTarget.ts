import {
  blobReader,
  type BlobReader,
  configurationName,
  resolveProjectDirectory,
  isInside,
  join,
  plannedPages,
  type PlannedPage,
  readLayout,
  readNavigation,
  type SpaceLayout,
  indexRepository,
  contentLimits,
  type TreeEntry,
  collectWarnings,
} from '@bindery/dialect/repository-format';
import type { ExportTarget } from './types.ts';

/**
 * The locations of a space's parts in the repository, including those of parts that do not exist yet. Paths
 * are from the repository's root.
 */
export type TargetLayout = SpaceLayout & {
  /**
   * The navigation of the repository. Reading it takes most of the time of an export, and many exports do not
   * need it.
   */
  navigation(): readonly PlannedPage[];
  entries: ReadonlyMap<string, TreeEntry>;
  blobs: BlobReader;
  configurationPath: string;
  summaryPath: string;
  variablesPath: string;
  assetsFolder: string;
  includesFolder: string;
  /** Every path that the repository's own navigation and special folder make part of the space. */
  ownPaths(): ReadonlySet<string>;
};

/**
 * Reads the repository as an import would. A project directory or content root that does not exist yet is
 * accepted as named.
 *
 * @throws JobError `not_found` for one that is outside of its parent, or a file; as `readLayout`, and later
 *   as `readNavigation`
 */
export async function readTarget({
  entries,
  projectDirectory: written,
  readBlobs,
}: ExportTarget): Promise<TargetLayout> {
  const repository = indexRepository(entries);
  const blobs = blobReader({ entries, readBlobs });
  // Warnings about the repository are for imports.
  const reading = { repository, blobs, limits: contentLimits, warnings: collectWarnings(0) };
  const projectDirectory = resolveProjectDirectory(written, repository, { mayBeMissing: true });
  const layout = await readLayout(projectDirectory, { ...reading, mayBeMissing: true });
  const navigation = once(() => readNavigation(layout, reading));
  const { root, special } = layout;
  const inSpecial = (name: string) => join(root, `.gitbook/${name}`);
  const includesFolder = [root, projectDirectory]
    .map((folder) => join(folder, '.gitbook/includes'))
    .find((folder) => special.includes.some(({ path }) => isInside(path, folder)));
  return {
    ...layout,
    navigation,
    entries,
    blobs,
    configurationPath: layout.configurationFile?.path ?? join(projectDirectory, configurationName),
    summaryPath: layout.summaryFile?.path ?? join(root, 'SUMMARY.md'),
    variablesPath: special.variables?.path ?? inSpecial('vars.yaml'),
    assetsFolder: special.assets ?? inSpecial('assets'),
    includesFolder: includesFolder ?? inSpecial('includes'),
    ownPaths: once(() => ownPathsOf(layout, navigation(), entries)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function ownPathsOf(
  { special }: SpaceLayout,
  planned: readonly PlannedPage[],
  entries: ReadonlyMap<string, TreeEntry>,
): Set<string> {
  const own = new Set(special.includes.map(({ path }) => path));
  for (const page of plannedPages(planned)) if (page.kind === 'file') own.add(page.entry.path);
  if (special.assets !== undefined)
    for (const path of entries.keys()) if (isInside(path, special.assets)) own.add(path);
  return own;
}

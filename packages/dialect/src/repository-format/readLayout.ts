import { tooLarge, type BlobReader } from './blobReader.ts';
import { configurationName, readConfiguration, type ResolvedConfiguration } from './configuration.ts';
import { join } from './paths.ts';
import type { PlannedPage } from './pagePlan.ts';
import { planFromFolders } from './planFromFolders.ts';
import { planFromSummary } from './planFromSummary.ts';
import type { RepositoryIndex } from './repositoryIndex.ts';
import { findSpecialFolder, type SpecialFolder } from './specialFolder.ts';
import { readSummary } from './summary.ts';
import type { ContentLimits } from '../contentLimits.ts';
import type { TreeEntry } from './types.ts';
import type { Warnings } from '../contentWarnings.ts';

/** The locations of a space's parts in a repository. Paths are from the repository's root. */
export type SpaceLayout = Omit<ResolvedConfiguration, 'summary'> & {
  projectDirectory: string;
  configurationFile?: TreeEntry;
  /** Absent when the navigation is inferred. */
  summaryFile?: TreeEntry;
  special: SpecialFolder;
};

type Reading = { repository: RepositoryIndex; blobs: BlobReader; limits: ContentLimits; warnings: Warnings };

/**
 * Finds the parts of a space, and reads the files that locate more: SUMMARY.md and the variables.
 *
 * @param mayBeMissing  whether a content root that does not exist yet is accepted
 * @throws JobError `not_found` for a content root that does not exist, `too_large` for a configuration that
 *   could not be read completely
 */
export async function readLayout(
  projectDirectory: string,
  { repository, blobs, limits, warnings, mayBeMissing = false }: Reading & { mayBeMissing?: boolean },
): Promise<SpaceLayout> {
  const inProject = (name: string) => repository.entries.get(join(projectDirectory, name));
  const configurationFile = inProject(configurationName);
  // Loads the files at their usual paths in advance: with the usual configuration, that saves a request.
  if (configurationFile)
    await blobs.load([configurationFile, inProject('SUMMARY.md'), inProject('.gitbook/vars.yaml')]);
  const { summary, ...configuration } = readConfiguration(configurationFile && blobs.get(configurationFile), {
    projectDirectory,
    repository,
    warnings,
    maxBytes: limits.configurationBytes,
    mayBeMissing,
  });

  const special = findSpecialFolder(repository, { root: configuration.root, projectDirectory });
  const summaryFile = summary === undefined ? undefined : repository.entries.get(summary);
  await blobs.load([summaryFile, special.variables]);
  return {
    ...configuration,
    projectDirectory,
    configurationFile,
    summaryFile,
    special,
  };
}

/**
 * Reads the navigation of a space: from SUMMARY.md, otherwise from the folders.
 *
 * @throws JobError `too_large` for one that could not be read completely, `limit` for one with too many
 *   entries
 */
export function readNavigation(
  { root, readme, summaryFile }: SpaceLayout,
  { repository, blobs, limits, warnings }: Reading,
): PlannedPage[] {
  if (!summaryFile)
    return planFromFolders(repository.entries, {
      root,
      landing: readme,
      maxDepth: limits.pageDepth,
      warnings,
    });
  const file = blobs.get(summaryFile);
  if (file.length > limits.summaryBytes) throw tooLarge(summaryFile);
  const { path } = summaryFile;
  const parts = readSummary(file, { maxDepth: limits.pageDepth, maxEntries: limits.pages, warnings, path });
  return planFromSummary(parts, { root, summary: path, repository, warnings });
}

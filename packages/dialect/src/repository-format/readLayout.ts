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

/** Where the parts of a space are in a repository. Paths are from the repository's root. */
export type SpaceLayout = Omit<ResolvedConfiguration, 'summary'> & {
  projectDirectory: string;
  configurationFile?: TreeEntry;
  /** Absent when the navigation is inferred. */
  summaryFile?: TreeEntry;
  special: SpecialFolder;
};

type Reading = { repository: RepositoryIndex; blobs: BlobReader; limits: ContentLimits; warnings: Warnings };

/**
 * Finds the parts of a space, and has the files read that say more: SUMMARY.md and the variables.
 *
 * @param mayBeMissing  whether a content root that is not there yet is taken all the same
 * @throws JobError `not_found` for a content root that does not exist, `too_large` for a configuration that could not be read whole
 */
export async function readLayout(
  projectDirectory: string,
  { repository, blobs, limits, warnings, mayBeMissing = false }: Reading & { mayBeMissing?: boolean },
): Promise<SpaceLayout> {
  const inProject = (name: string) => repository.entries.get(join(projectDirectory, name));
  const configurationFile = inProject(configurationName);
  // The files at the usual places come along: with the usual configuration that saves a request.
  if (configurationFile) await blobs.load([configurationFile, inProject('SUMMARY.md'), inProject('.gitbook/vars.yaml')]);
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
    ...(configurationFile && { configurationFile }),
    ...(summaryFile && { summaryFile }),
    special,
  };
}

/**
 * The navigation of a space: as SUMMARY.md says, otherwise as the folders do.
 *
 * @throws JobError `too_large` for one that could not be read whole, `limit` for one with too many entries
 */
export function readNavigation(
  { root, readme, summaryFile }: SpaceLayout,
  { repository, blobs, limits, warnings }: Reading,
): PlannedPage[] {
  if (!summaryFile) return planFromFolders(repository.entries, { root, landing: readme, maxDepth: limits.pageDepth, warnings });
  const file = blobs.get(summaryFile);
  if (file.length > limits.summaryBytes) throw tooLarge(summaryFile);
  const { path } = summaryFile;
  const parts = readSummary(file, { maxDepth: limits.pageDepth, maxEntries: limits.pages, warnings, path });
  return planFromSummary(parts, { root, summary: path, repository, warnings });
}

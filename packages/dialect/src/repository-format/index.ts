/**
 * The repository format: paths, navigation, configuration, and the facts of one page's file. Light: see
 * `../index.ts`.
 */
export { contentLimits } from '../contentLimits.ts';
export { type ContentWarning, collectWarnings, quoted } from '../contentWarnings.ts';
export { type PagePath, assignPaths } from './assignPaths.ts';
export { type BlobReader, blobReader } from './blobReader.ts';
export { configurationName, readConfiguration, resolveProjectDirectory } from './configuration.ts';
export { fileForms, foldersOfTarget, pageEndings, pageForms, resolvedPaths } from './linkForms.ts';
export { type NamedFile, type PageFields, namedFile, pageFields } from './pageFields.ts';
export { type PlannedPage, plannedPages } from './pagePlan.ts';
export {
  folderOf,
  isInside,
  isMarkdown,
  join,
  nameOf,
  nameWithoutEnding,
  pagePathOfFile,
  pagePathOfFolder,
  readmeName,
  resolvePath,
  slugOfFile,
  slugOfTitle,
} from './paths.ts';
export { planFromFolders } from './planFromFolders.ts';
export { planFromSummary, targetOfUrl } from './planFromSummary.ts';
export { type SpaceLayout, readLayout, readNavigation } from './readLayout.ts';
export { type RepositoryIndex, indexRepository } from './repositoryIndex.ts';
export { scanPage } from './scanPage.ts';
export { readVariables } from './specialFolder.ts';
export { type SummaryEntry, type SummaryPart, readSummary } from './summary.ts';
export { slugsOfTitles } from './slugsOfTitles.ts';
export type {
  ComputedSource,
  ImportedDocument,
  ImportedPage,
  LinkTarget,
  PageCover,
  PageFacts,
  RepositoryFiles,
  SpaceContent,
  TreeEntry,
} from './types.ts';

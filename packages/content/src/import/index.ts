/**
 * Reads content from other systems, without stores: `@bindery/content/import`. A process that reads foreign
 * archives and web pages imports this entry point, because it must not contain the database driver.
 */
export {
  draftPage,
  eachDraftPage,
  inArchive,
  isInArchive,
  placeInArchive,
  type Draft,
  type DraftFile,
  type DraftInclude,
  type DraftPage,
} from './draft.ts';
export { gatherContent } from './gatherContent.ts';
export type { NewPage } from './newPage.ts';
export { packContent, type PackedContent } from './packedContent.ts';
export { pageFile, titleOf } from './pageFile.ts';
export { createUrlMap, type UrlMap } from './urlMap.ts';
export { readFolder, type ReadFolder } from './readFolder.ts';
export { readWiki } from './readWiki.ts';
export { createSpool, type Spool, type SpoolPart } from './spool.ts';

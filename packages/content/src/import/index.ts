/**
 * Reading content that comes from elsewhere, without stores: `@bindery/content/import`. A process that reads strangers' archives and web pages
 * imports this face, because the database driver has no place in it.
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
export { createPlaces, type Places } from './places.ts';
export { readFolder, type ReadFolder } from './readFolder.ts';
export { readWiki } from './readWiki.ts';
export { createSpool, type Spool, type SpoolPart } from './spool.ts';

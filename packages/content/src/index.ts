export { contentTypeOf } from './contentType.ts';
export { readSpaceContent } from './gitbook/readSpaceContent.ts';
export { scanPage } from './gitbook/scanPage.ts';
export { splitFrontmatter } from './gitbook/splitFrontmatter.ts';
export { contentLimits } from './gitbook/types.ts';
export type * from './gitbook/types.ts';
export { buildRevisionContent, type KnownBlobs, type PreviousContent } from './store/buildRevisionContent.ts';
export { createSpace, slugOf, type NewSpace } from './store/createSpace.ts';
export { findDocument, loadDocuments, markdownOf, storeDocuments, type PageSource } from './store/documents.ts';
export type { ContentReference, CoverReference, FileItem, PageItem, PageTree, ReusableContentItem } from './store/items.ts';
export {
  findRevision,
  insertRevision,
  loadFiles,
  loadReusableContents,
  prepareRevision,
  type NewRevision,
  type RevisionContent,
} from './store/revisions.ts';
export { loadPageIndex, loadTree, type FoundPage, type PageIndex } from './store/tree.ts';

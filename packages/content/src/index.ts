export { contentTypeOf } from './contentType.ts';
export * from './gitbook/index.ts';
export { buildRevisionContent, type KnownBlobs, type PreviousContent } from './store/buildRevisionContent.ts';
export { createSpace, type NewSpace } from './store/createSpace.ts';
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

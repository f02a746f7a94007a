export { isConditionMet, type VisitorClaims } from './condition/isConditionMet.ts';
export { conditionProblem } from './condition/parseCondition.ts';
export { claimsLimitBytes, reduceClaims } from './condition/reduceClaims.ts';
export { templateConditions } from './condition/templateConditions.ts';
export { contentTypeOf } from './contentType.ts';
export { documentToMarkdown } from './document/documentToMarkdown.ts';
export { markdownToDocument } from './document/markdownToDocument.ts';
export * from './gitbook/index.ts';
export { slugOfTitle } from './gitbook/paths.ts';
export { buildRevisionContent, type KnownBlobs, type PreviousContent } from './store/buildRevisionContent.ts';
export { copyContent } from './store/copyContent.ts';
export { createSpace, emptyContent, prepareSpace, type NewSpace } from './store/createSpace.ts';
export { findDocument, loadDocuments, markdownOf, storeDocuments, type PageSource } from './store/documents.ts';
export { duplicateSpace } from './store/duplicateSpace.ts';
export type { ContentReference, CoverReference, FileItem, PageItem, PageTree, ReusableContentItem } from './store/items.ts';
export {
  findRevision,
  insertRevision,
  loadFiles,
  loadReusableContents,
  prepareChangedRevision,
  prepareRevision,
  type ChangedRevision,
  type NewRevision,
  type RevisionContent,
} from './store/revisions.ts';
export { loadPageIndex, loadTree, type FoundPage, type PageIndex } from './store/tree.ts';
export { openTree, type ContentTree } from './tree/contentTree.ts';
export { childrenOf, type LocatedPage, type PageLookup } from './tree/pageLookup.ts';
export { freeSlug, freeSlugOfTitle, repath } from './tree/pagePaths.ts';
export type { PagePlace, TreeEdit } from './tree/treeEdit.ts';

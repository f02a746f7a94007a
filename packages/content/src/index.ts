export { createSpace, slugOf, type NewSpace } from './store/createSpace.ts';
export { findDocument, hashOfSource, loadDocuments, markdownOf, storeDocuments, type PageSource } from './store/documents.ts';
export { hashOfJson, sha256 } from './store/hash.ts';
export type * from './store/items.ts';
export { findRevision, insertRevision, loadFiles, loadReusableContents, prepareRevision, type NewRevision, type RevisionContent } from './store/revisions.ts';
export { loadPageIndex, loadTree, type FoundPage, type PageIndex } from './store/tree.ts';

export { blobKey, type BlobStore } from './blobStore.ts';
export { createGridFsBlobStore } from './gridFs.ts';
export { createStoredItems, type StoredItems } from './storedItems.ts';

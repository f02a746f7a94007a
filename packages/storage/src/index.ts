export { blobKey, type BlobStore } from './blobStore.ts';
export { createGridFsBlobStore } from './createBlobStore.ts';
export { createStoredItems, type StoredItems } from './storedItems.ts';

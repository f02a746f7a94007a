export { blobKey, type BlobStore } from './blobStore.ts';
export { createGridFsBlobStore } from './gridFs.ts';

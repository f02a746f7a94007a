export { blobKey, type BlobStore } from './blobStore.ts';
export { checkHash } from './checkHash.ts';
export { createBlobStore, type BlobStoreSettings } from './createBlobStore.ts';
export { migrateBlobs, type MigrationProgress } from './migrateBlobs.ts';
export { removeReplaced, sizeReplaced } from './replaceFile.ts';
export { StoreMisconfigured } from './s3/checkAccess.ts';
export { isDamage } from './s3/problems.ts';
export { ownerCollection } from './s3/owner.ts';
export { createStoredItems, type StoredItems } from './storedItems.ts';

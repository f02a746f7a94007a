import { invalid } from '@bindery/contract';
import { blobKey, type BlobStore } from '@bindery/storage';
import { uploadedFile } from './uploadKey.ts';

/**
 * Finds uploaded files of an organization by their keys.
 *
 * @param at  the position of the keys in the request
 * @throws invalid_request for a key of none
 */
export async function findUploads(
  keys: readonly string[],
  { blobs, organization, at }: { blobs: BlobStore; organization: string; at: string },
): Promise<{ key: string; name: string }[]> {
  const stored = await blobs.findStored(keys.map((key) => blobKey(organization, key)));
  return keys.map((key, index) => {
    const file = uploadedFile(key);
    if (!file || !stored.has(blobKey(organization, key)))
      throw invalid(`${at}.${index}`, 'is not the key of an uploaded file.');
    return file;
  });
}

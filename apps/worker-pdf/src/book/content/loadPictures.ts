import { buffer } from 'node:stream/consumers';
import { imageFormatOf } from '@bindery/content';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { ChunkFile } from '../../browser/browser.ts';
import { maxBytesOfPicture, maxPixels } from '../plan/limits.ts';
import type { Picture } from '../plan/pieces.ts';

type Loading = {
  blobs: BlobStore;
  organization: string;
  /** Called for each picture with more bytes or pixels than are printed. */
  onTooLarge: (picture: PictureToLoad, size: { pixels: number } | { sizeBytes: number }) => void;
};

/** The size that the content of the page states is not trusted: a logo has none. */
type PictureToLoad = Pick<Picture, 'path' | 'blob' | 'type'>;

/** Loads pictures for a chunk, each once. A missing or too large one is shown as its text. */
export async function loadPictures(
  pictures: readonly PictureToLoad[],
  { blobs, organization, onTooLarge }: Loading,
): Promise<Map<string, ChunkFile>> {
  const files = new Map<string, ChunkFile>();
  const seen = new Set<string>();
  let pixelsLeft: number = maxPixels.chunk;
  for (const picture of pictures) {
    const { path, blob, type } = picture;
    if (seen.has(path)) continue;
    seen.add(path);
    const stored = await blobs.open(blobKey(organization, blob));
    if (!stored) continue;
    if (stored.sizeBytes > maxBytesOfPicture) {
      stored.bytes.destroy();
      onTooLarge(picture, { sizeBytes: stored.sizeBytes });
      continue;
    }
    const bytes = await buffer(stored.bytes);
    const { pixels, isCounted } = pixelsOf(bytes);
    if (pixels > maxPixels.picture || (isCounted && pixels > pixelsLeft)) onTooLarge(picture, { pixels });
    else {
      if (isCounted) pixelsLeft -= pixels;
      files.set(path, { bytes, type });
    }
  }
  return files;
}

/** By what the bytes are, whatever they are called: so does Chromium. Drawings have no pixels. */
function pixelsOf(bytes: Uint8Array): { pixels: number; isCounted: boolean } {
  const { contentType, dimensions } = imageFormatOf(bytes) ?? {};
  if (!dimensions || contentType === 'image/svg+xml') return { pixels: 0, isCounted: false };
  return { pixels: dimensions.width * dimensions.height, isCounted: contentType !== 'image/jpeg' };
}

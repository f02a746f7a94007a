import type { Chunk as ChunkToLoad } from '../browser/browser.ts';
import { loadPictures } from './content/loadPictures.ts';
import { maxBytesOfPicture, maxPixels } from './plan/limits.ts';
import type { PlacedPiece } from './plan/chunks.ts';
import type { Printing } from './printing.ts';
import { chunkHtml } from './sheets/chunkHtml.ts';

/** Writes the HTML of some pieces and loads their pictures. The log names those that are too large. */
export async function chunkToLoad(
  pieces: readonly PlacedPiece[],
  { book, plan, blobs, log, chunkDeadlineMs }: Printing,
): Promise<ChunkToLoad> {
  const { chapters, content } = plan;
  const files = await loadPictures(
    pieces.flatMap(({ pictures }) => pictures),
    {
      blobs,
      organization: content.revision.organization,
      onTooLarge: ({ path }, size) => {
        const piece = pieces.find(({ pictures }) => pictures.some((each) => each.path === path));
        log('warning', tooLarge(size), chapters[piece?.chapter ?? 0]?.page?.title);
      },
    },
  );
  return { html: chunkHtml(pieces, book, chapters), files, deadlineMs: chunkDeadlineMs };
}

function tooLarge(size: { pixels: number } | { sizeBytes: number }): string {
  if ('sizeBytes' in size)
    return `A picture of more than ${maxBytesOfPicture / 1024 / 1024} MB is not printed.`;
  const { pixels } = size;
  const millions = (count: number) => Math.ceil(count / 1_000_000);
  return `A picture of ${millions(pixels)} million pixels is not printed; a picture may have ${millions(maxPixels.picture)} million, and those of a few pages together ${millions(maxPixels.chunk)}.`;
}

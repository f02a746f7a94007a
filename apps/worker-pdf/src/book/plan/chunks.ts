import { chunkBytes, maxPictureBytes } from './limits.ts';
import { cutPage, type Piece, type PieceHeading } from './pieces.ts';

/** A piece with the chapter that it is part of. */
export type PlacedPiece = Piece & {
  /** Index of the chapter. */
  chapter: number;
  /** HTML in front of the page: the titles of groups. */
  head: string;
  /** The headings in `head`. */
  headHeadings: PieceHeading[];
  direction: 'ltr' | 'rtl';
};

/** Pieces printed together. They depend on the pieces alone, so that every run makes the same chunks. */
export type Chunk = { pieces: PlacedPiece[]; bytes: number };

/**
 * Groups pieces into chunks of the usual size. A piece that is larger is a chunk by itself.
 *
 * Reads one piece ahead, so that pages are rendered while others print.
 */
export async function* groupPieces(pieces: AsyncIterable<PlacedPiece>): AsyncGenerator<Chunk> {
  let chunk: Chunk = { pieces: [], bytes: 0 };
  let pictureBytes = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.byteLength(piece.html);
    const ofPictures = piece.pictures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const isTooMuch = chunk.bytes + bytes > chunkBytes.max || pictureBytes + ofPictures > maxPictureBytes;
    if (chunk.pieces.length > 0 && (isTooMuch || chunk.bytes >= chunkBytes.full)) {
      yield chunk;
      chunk = { pieces: [], bytes: 0 };
      pictureBytes = 0;
    }
    chunk.pieces.push(piece);
    chunk.bytes += bytes;
    pictureBytes += ofPictures;
  }
  if (chunk.pieces.length > 0) yield chunk;
}

/** All headings of some pieces, in order. */
export function headingsOf(pieces: readonly PlacedPiece[]): PieceHeading[] {
  return pieces.flatMap(({ headHeadings, headings }) => [...headHeadings, ...headings]);
}

/** Cuts a piece at each second-level heading. */
export function sectionsOf(piece: PlacedPiece): PlacedPiece[] {
  return cutPage(piece, 0).map((section, index) =>
    index === 0 ? section : { ...section, head: '', headHeadings: [] },
  );
}

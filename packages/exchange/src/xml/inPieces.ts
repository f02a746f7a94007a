/** Large enough that a stream is not slowed down by its pieces. */
const pieceCharacters = 64 * 1024;

/** Joins many short texts into fewer long ones. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

export { createBookWriter, type BookWriter } from './bookWriter.ts';
export type { AddedChunk, BookProperties, ChunkHeading, FinishedBook, OutlineEntry } from './messages.ts';

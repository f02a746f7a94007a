export {
  createBookWriter,
  dropPreparedWriter,
  mergingMemoryMb,
  prepareBookWriter,
  type BookWriter,
} from './bookWriter.ts';
export type { AddedChunk, BookProperties, ChunkHeading, FinishedBook, OutlineEntry } from './messages.ts';

/** Raise it when the same chunks come out as other bytes: it is part of the name of each book. */
export const formatVersion = 1;

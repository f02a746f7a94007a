import type { JobErrorCode } from '@bindery/contract/jobErrors';

/** Properties of a book. They alone, with its chunks, determine its bytes. */
export type BookProperties = {
  title: string;
  author?: string;
  /** BCP 47: `en`, `pt-BR`. */
  language: string;
  /** Creation and modification date, usually the revision's. */
  date: Date;
  /** Part of the file's identifier, for example the hash of what was printed and how. */
  seed: string;
};

/** A heading of a chunk; the chunk's PDF has an outline entry for each of which text is drawn. */
export type ChunkHeading = {
  /** Unique in the book, as are the anchors. */
  id: string;
  /** From 1 to 6. */
  level: number;
  title: string;
  /** Further ids with the same destination, for example the id of the page. */
  anchors?: string[];
};

export type AddedChunk = {
  sheets: number;
  /** By heading id and anchor: index of its sheet, from 0, within the body or within the front. */
  headingSheets: Map<string, number>;
};

/** An entry of the outline (the bookmarks) of the book. */
export type OutlineEntry = {
  title: string;
  /** A heading's id or anchor. */
  id: string;
  children?: OutlineEntry[];
};

/** Data that is complete only when all chunks have been added. */
export type BookEnd = {
  outline: OutlineEntry[];
  /**
   * Further names of places, such as headings that links name and that do not exist: the id of the place by
   * the name. Names that are ids, and ids that do not exist, are ignored.
   */
  aliases?: Record<string, string>;
};

export type FinishedBook = {
  /** All sheets, with those of the front. */
  sheets: number;
  frontSheets: number;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
  /** Ids that links name but no heading or element has; at most 100. Such links lead nowhere. */
  unresolvedLinks: string[];
};

/** A message to the thread; it answers them in order, except for the first of a book: what to write. */
export type BookRequest =
  | { kind: 'open'; path: string; properties: BookProperties }
  | { kind: 'chunk' | 'front'; pdf: Uint8Array; headings: ChunkHeading[] }
  | ({ kind: 'finish' } & BookEnd);

export type BookFailure = { code: JobErrorCode; message: string; action: string | undefined };
export type BookAnswer = { result: AddedChunk | FinishedBook } | { failure: BookFailure };

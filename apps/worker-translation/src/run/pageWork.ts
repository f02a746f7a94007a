import type { PageTitles, SegmentRole, Term } from '@bindery/translation';

/** The settings of a run that the thread needs. */
export type PageSettings = {
  organization: string;
  pair: readonly [from: string, into: string];
  /** The engine, as the keys of the memory name it. */
  engine: string;
  terms: readonly Term[];
  /** Absent for an engine that does not follow them. */
  instructions?: string;
  /** URLs of the first space lead into the second one. */
  spaces: { source: string; result: string };
};

/** A text of a page, with the keys of the engine's text and of a person's in the memory. */
export type CutText = {
  key: string;
  human: string;
  role: SegmentRole;
  text: string;
  terms: Term[];
  words: number;
};

/** A page's file, and texts of its entry in the tree by name. */
export type PageToCut = { file?: Uint8Array | undefined; entry: Record<string, string> };

/** A page's file, and the translations of its segments by index. */
export type PageToJoin = {
  file: Uint8Array;
  translations: ReadonlyMap<number, string>;
  /** Absent if anchors of headings may change. */
  titles?: PageTitles;
};

/** Texts of the entry by name, and the segments of the file in their order. */
export type CutPage = {
  entry: Record<string, CutText>;
  segments: CutText[];
  /** The body was not cut, because nobody can read it. */
  isUnread?: true;
};

export type JoinedPage = {
  file: Uint8Array;
  /** Indexes of segments whose translation would change the page's structure. */
  refused: number[];
};

/** The settings of a run, as JSON that threads share, with an id: a thread reads them once. */
export type PageRun = { id: string; settings: SharedArrayBuffer };

export type PageRequest =
  | { kind: 'cut'; run: PageRun; page: PageToCut }
  | { kind: 'join'; run: PageRun; page: PageToJoin }
  /** Frees the memory of pages that were cut and not joined. */
  | { kind: 'forget' };
export type PageAnswer = CutPage | JoinedPage | undefined;

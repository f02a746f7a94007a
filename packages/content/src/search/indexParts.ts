import type { IndexedPageRecord, IndexedSectionRecord } from '@bindery/models';

/** A word, or a prefix of words. */
export type Term = { text: string; isPrefix: boolean };

/** A page that contains a word, or one of its records for visitors, and the weight of the word there. */
export type Posting = { page: string; weight: number; isWhole: boolean } & Pick<
  IndexedPageRecord,
  'conditions' | 'audience'
>;

/** A text, and its folded form for term look-ups; absent where that is only the text in lower case. */
export type FoldedText = { text: string; plain?: string };

/**
 * A page of the index, prepared for searches. If its content depends on conditions, it contains more than one
 * visitor may see.
 */
export type StoredPage = Omit<IndexedPageRecord, 'words' | 'sections'> & { sections: StoredSection[] };
export type StoredSection = Pick<IndexedSectionRecord, 'id' | 'chain' | 'isContinued'> & {
  title: FoldedText;
  body: FoldedText;
};

/**
 * Pages that are computed when they are read, prepared for searches: the index does not have them. Everybody
 * who gets them sees all of them.
 */
export type ComputedPages = {
  /** By their ids. */
  pages: ReadonlyMap<string, StoredPage>;
  postings: ReadonlyMap<string, readonly { page: string; weight: number }[]>;
  /** The number of all postings. */
  size: number;
};

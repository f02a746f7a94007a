/**
 * Where the translation of a unit comes from: an engine, a person, nowhere (the unit keeps its source), or a
 * person whose text is for another source.
 */
export type ExchangeState = 'machine' | 'human' | 'kept' | 'conflict';

/** A text and its translation. Both are texts with placeholders, as `textOfParts` writes them. */
export type ExchangeUnit = {
  /** Letters, digits, `.`, `-`, `_` and `:`; unique within its page. */
  id: string;
  source: string;
  target?: string;
  /** Where the text stands: `title`, `heading`, `text`, ... */
  role?: string;
  /** The page of the text. Units of a page follow each other. */
  page?: string;
  state?: ExchangeState;
};

/** The languages of a file. */
export type ExchangePair = { source: string; target: string };

/** Units as they come, from a list or from a store. */
export type Units = Iterable<ExchangeUnit> | AsyncIterable<ExchangeUnit>;

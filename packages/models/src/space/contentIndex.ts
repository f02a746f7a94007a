import mongoose, { Schema } from 'mongoose';

/** A section of a page that a search result can link to. */
export type IndexedSectionRecord = {
  /** The anchor of its heading; empty for the text before the first heading. */
  id: string;
  title: string;
  /** Its text without markup, one block per line. */
  text: string;
  /** On a page with conditional blocks: the index of its chain of conditions; absent without conditions. */
  chain?: number;
  /** Continues the previous section that the reader can see. */
  isContinued?: true;
};

/**
 * A page of the main content of a space in the search index; hidden pages have none. Derived from the content
 * and rebuilt after each change, only by the indexer of the maintenance worker. It names no organization: a
 * reader of the space may read all its pages.
 *
 * A page with conditional blocks has several records: a whole one for members, one with the text for every
 * visitor, and one for each chain of conditions with the words of its blocks.
 */
export type IndexedPageRecord = {
  /**
   * `<space>:<page>`; for visitor parts `<space>:<page>:0` and so on, the first of which has the sections of
   * all parts.
   */
  _id: string;
  /**
   * The readers who find the page. Absent in records of earlier versions, which had no conditional blocks:
   * members.
   */
  audience?: 'everybody' | 'members' | 'visitors';
  space: string;
  page: string;
  title: string;
  path: string;
  description?: string;
  /** Titles of the ancestor pages, outermost first. */
  ancestors: string[];
  /** Conditions of the page, its ancestors and its blocks: only a visitor who meets all of them sees it. */
  conditions?: string[];
  /**
   * The chains of conditions that `chain` of a section refers to, each outermost first; in the first visitor
   * part.
   */
  chains?: string[][];
  /**
   * Slugs and ids of the specifications whose operations, webhooks or schemas it shows; in the record for
   * members. Absent without any.
   */
  specs?: string[];
  /** Each word of the page with its weight, `word 123`, heaviest first. */
  words: string[];
  sections: IndexedSectionRecord[];
};

const pageSchema = new Schema<IndexedPageRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    page: { type: String, required: true },
    audience: String,
    title: { type: String, required: true },
    path: String,
    description: String,
    ancestors: { type: [String], required: true },
    conditions: [String],
    chains: { type: [Schema.Types.Mixed], default: undefined } as never,
    specs: { type: [String], default: undefined } as never,
    words: { type: [String], required: true },
    sections: {
      type: [
        new Schema<IndexedSectionRecord>(
          { id: String, title: String, text: String, chain: Number, isContinued: Boolean },
          { _id: false },
        ),
      ],
      required: true,
    } as never,
  },
  { collection: 'contentIndex', versionKey: false },
);
pageSchema.index({ space: 1, words: 1 });
// Without words, for removing a space: an index with words would list each page once per word.
pageSchema.index({ space: 1, page: 1 });
// Finds the pages that follow a specification; partial, because most pages show none.
pageSchema.index({ space: 1, specs: 1 }, { partialFilterExpression: { specs: { $exists: true } } });

export const IndexedPage = mongoose.model('IndexedPage', pageSchema);

/** Raised when the same content yields other index records; then all spaces are reindexed. */
export const indexFormat = 4;

/** The indexing progress of a space. */
export type SpaceIndexRecord = {
  /** Id of the space. */
  _id: string;
  space: string;
  format: number;
  /** The indexed revision and the root of its pages. Absent until the first complete run. */
  revision?: string;
  root?: string;
  /** Roots of unfinished runs, some of whose pages may be indexed. */
  begun: string[];
  /** The number of searchable pages. */
  pages: number;
  /** The number of searchable pages without conditions, which every visitor finds. */
  openPages?: number;
  /** Counts the changes of its records: cached data stays valid while this is unchanged. */
  version: number;
  /** Counts the runs of the indexer: only the newest may write. */
  run: number;
};

const spaceSchema = new Schema<SpaceIndexRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    format: { type: Number, required: true },
    revision: String,
    root: String,
    begun: { type: [String], default: [] },
    pages: { type: Number, required: true },
    openPages: Number,
    version: { type: Number, required: true },
    run: { type: Number, required: true },
  },
  { collection: 'spaceIndexes', versionKey: false },
);
spaceSchema.index({ space: 1 });

export const SpaceIndex = mongoose.model('SpaceIndex', spaceSchema);

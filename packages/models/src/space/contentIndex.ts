import mongoose, { Schema } from 'mongoose';

/** A part of a page that a search may lead to. */
export type IndexedSectionRecord = {
  /** The anchor of its heading; empty for what stands before the first one. */
  id: string;
  title: string;
  /** Its text without any markup, the blocks on lines of their own. */
  text: string;
  /** Of a page with conditional blocks: the number of the conditions under which it stands; absent when it stands on none. */
  chain?: number;
  /** Goes on with the section before, of those that somebody sees. */
  isContinued?: true;
};

/**
 * A page of the main content of a space as search sees it; there is none of a page that shall not be found. Made from the content, and made anew
 * whenever that changes: only the indexer of the maintenance worker writes it. It names no organization: who sees a space sees its pages.
 *
 * A page with conditional blocks has several: a whole one for members, one with what every visitor reads, and one for each chain of conditions with the
 * words of what stands on it.
 */
export type IndexedPageRecord = {
  /** `<space>:<page>`; of the parts for visitors `<space>:<page>:0` and so on, of which the first has the sections of all. */
  _id: string;
  /** Who finds it. Absent in records of earlier versions, which told no blocks apart: members. */
  audience?: 'everybody' | 'members' | 'visitors';
  space: string;
  page: string;
  title: string;
  path: string;
  description?: string;
  /** Titles of the pages above, outermost first. */
  ancestors: string[];
  /** Conditions of the page, of those above, and of the blocks: a visitor who does not meet all of them does not see it. */
  conditions?: string[];
  /** The chains of conditions by the numbers that sections have, each outermost first; in the first part for visitors. */
  chains?: string[][];
  /** Each word of the page with what it weighs there, `word 123`, the heaviest first. */
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
    words: { type: [String], required: true },
    sections: {
      type: [
        new Schema<IndexedSectionRecord>({ id: String, title: String, text: String, chain: Number, isContinued: Boolean }, { _id: false }),
      ],
      required: true,
    } as never,
  },
  { collection: 'contentIndex', versionKey: false },
);
pageSchema.index({ space: 1, words: 1 });
// Of a space without its words: for its removal, which would otherwise come by each page once for each of its words.
pageSchema.index({ space: 1, page: 1 });

export const IndexedPage = mongoose.model('IndexedPage', pageSchema);

/** Raised when the same content gives other records of the index; then all spaces are indexed anew. */
export const indexFormat = 2;

/** How far the index of a space has come. */
export type SpaceIndexRecord = {
  /** Id of the space. */
  _id: string;
  space: string;
  format: number;
  /** What is indexed: a revision, and the root of its pages. Absent until all of them are for the first time. */
  revision?: string;
  root?: string;
  /** Roots of which some pages may be indexed: of runs that did not come to their end. */
  begun: string[];
  /** How many pages can be found. */
  pages: number;
  /** How many of them every visitor finds: those that stand on no condition. */
  openPages?: number;
  /** Counts the changes of its records: what was read of them is good as long as this is the same. */
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

import mongoose, { Schema } from 'mongoose';

/** A target as it is written in a document, how it is used there, and the keys of the blocks that it stands in. */
export type DocumentLinkRecord = {
  target: string;
  use: string;
  blocks: string[];
  /** Numbers of the chains on which it stands; absent when every visitor reads it, empty when none does. */
  shownOn?: number[];
};

/**
 * What one document refers to and what of it can be referred to. It depends on nothing but the document's bytes: where the targets lead is another
 * question in each revision that holds it.
 */
export type DocumentLinksRecord = {
  /** `<organization>:<hash>:` and what the document is read as: a hash of the page's title, or `content` for a reusable content. */
  _id: string;
  organization: string;
  /** Of the reader of documents: an older record is made anew. */
  format: number;
  links: DocumentLinkRecord[];
  /** The anchors of its headings. */
  anchors: string[];
  /** Chains of conditions, each outermost first: a visitor reads what stands on one whose conditions they all meet. Absent without any. */
  chains?: string[][];
  /** Ids of the spaces that its targets name, whether there are such spaces or not; absent without any. */
  spaces?: string[];
};

const schema = new Schema<DocumentLinksRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    format: { type: Number, required: true },
    links: { type: [Schema.Types.Mixed], required: true } as never,
    anchors: { type: [String], required: true },
    chains: { type: [Schema.Types.Mixed], default: undefined } as never,
    spaces: { type: [String], default: undefined } as never,
  },
  { collection: 'documentLinks', versionKey: false },
);
// Who mentions a space is asked by its id: the many documents that mention none take no room in this index.
schema.index({ organization: 1, spaces: 1 }, { partialFilterExpression: { spaces: { $exists: true } } });

export const DocumentLinks = mongoose.model('DocumentLinks', schema);

import mongoose, { Schema } from 'mongoose';

/** A target as written in a document, how it is used there, and the keys of the enclosing blocks. */
export type DocumentLinkRecord = {
  target: string;
  use: string;
  /**
   * The part of a specification that the blocks show (`SpecPart` of the dialect); absent for a whole target.
   */
  part?: readonly string[];
  blocks: string[];
  /**
   * Indexes of the chains of conditions on which it is shown; absent when every visitor sees it, empty when
   * none does.
   */
  shownOn?: number[];
};

/**
 * The links and anchors of one document. They depend only on the document's bytes; each revision resolves the
 * targets differently.
 */
export type DocumentLinksRecord = {
  /**
   * `<organization>:<hash>:` and the kind of document: a hash of the page's title, or `content` for reusable
   * content.
   */
  _id: string;
  organization: string;
  /** The version of the document reader; older records are rebuilt. */
  format: number;
  links: DocumentLinkRecord[];
  /** The anchors of its headings. */
  anchors: string[];
  /**
   * Chains of conditions, each outermost first: a visitor who meets all conditions of a chain sees its text.
   * Absent without any.
   */
  chains?: string[][];
  /** Ids of the spaces named by its targets, whether they exist or not; absent without any. */
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
// Finds mentions of a space by its id; partial, because most documents mention none.
schema.index({ organization: 1, spaces: 1 }, { partialFilterExpression: { spaces: { $exists: true } } });

export const DocumentLinks = mongoose.model('DocumentLinks', schema);

import mongoose, { Schema } from 'mongoose';

export type SiteRedirectDestinationRecord =
  | { kind: 'site-page'; siteSpaceId: string; pageId: string }
  | { kind: 'site-section'; siteSectionId: string }
  | { kind: 'site-space'; siteSpaceId: string }
  | { kind: 'external'; url: string };

/** A redirected path of a site. */
export type SiteRedirectRecord = {
  _id: string;
  organization: string;
  site: string;
  /** The source as given. */
  source: string;
  /** The source in normalized form: without percent-encoding, and without a `*` at its end. */
  path: string;
  /** Whether the source ends in `*` and matches all paths that begin with it. */
  isWildcard: boolean;
  /** Drafts have no effect until published. One path may have a live redirect and a draft of another. */
  isDraft: boolean;
  captureWildcard: boolean;
  permanent: boolean;
  destination: SiteRedirectDestinationRecord;
  version: number;
  createdAt: Date;
  /** Absent until the first change. */
  updatedAt?: Date;
  /** The time of the last change or, without one, of the creation; for sorting. */
  touchedAt: Date;
};

const schema = new Schema<SiteRedirectRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    site: { type: String, required: true },
    source: { type: String, required: true },
    path: { type: String, required: true },
    isWildcard: { type: Boolean, default: false },
    isDraft: { type: Boolean, default: false },
    captureWildcard: { type: Boolean, default: false },
    permanent: { type: Boolean, default: false },
    destination: { type: Schema.Types.Mixed, required: true } as never,
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: Date,
    touchedAt: { type: Date, required: true },
  },
  { collection: 'siteRedirects', versionKey: false },
);
schema.index({ site: 1, isDraft: 1, path: 1, isWildcard: 1 }, { unique: true });
schema.index({ site: 1, isDraft: 1, createdAt: -1, _id: -1 });
schema.index({ site: 1, isDraft: 1, touchedAt: -1, _id: -1 });
schema.index({ site: 1, isDraft: 1, source: 1, _id: 1 });

export const SiteRedirect = mongoose.model('SiteRedirect', schema);

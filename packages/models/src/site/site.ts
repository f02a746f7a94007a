import type { Role, SiteCustomization, SiteSpaceCustomization } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { accessSchema, type AccessRecord } from '../access/access.ts';

export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth';

/** A published documentation site: spaces, with or without sections, at one address. */
export type SiteRecord = {
  _id: string;
  organization: string;
  type: 'basic' | 'premium' | 'ultimate' | 'sponsored' | 'legacy-basic' | 'legacy-premium';
  title: string;
  visibility: SiteVisibility;
  isPublished: boolean;
  /** Its path segment below the organization's URL, unique in the organization. */
  basename: string;
  /** Its custom hostname. */
  hostname?: string;
  /**
   * Host and path at which a proxy of the organization serves the site, without a scheme. The organization
   * has proven the host (siteHost.ts).
   */
  proxy?: string;
  /** The proxy while its host is unproven: URLs do not lead there. */
  pendingProxy?: string;
  agentsContext: 'excluded' | 'included';
  adaptiveContent?: { enabled: boolean };
  /** Copied from the customization. */
  icon?: { icon: { light: string; dark: string } } | { emoji: string } | Record<string, never>;
  defaultLevel: Role | 'inherit' | null;
  access: AccessRecord;
  /** The default site space of a site without sections; absent with sections, and in an empty site. */
  defaultSiteSpace?: string;
  /** The default section; absent in a site without sections. */
  defaultSection?: string;
  /** The number of its site spaces, maintained by the writes that change it. */
  siteSpaces: number;
  /**
   * Counts the changes to its structure, that is to its groups, sections and site spaces with all their
   * fields: each of them writes it first, which serializes them.
   */
  structureVersion: number;
  /** The JSON schema of visitor claims, as text; absent until set. */
  adaptiveSchema?: { jsonSchema: string; updatedAt: Date };
  /** The look, complete as last set; absent means the defaults. */
  customization?: { settings: SiteCustomization; updatedAt: Date };
  /** Counts the changes of the record, for `If-Match`. */
  version: number;
  createdBy: string;
  createdAt: Date;
};

const siteSchema = new Schema<SiteRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    type: { type: String, default: 'basic' },
    title: { type: String, required: true },
    visibility: { type: String, default: 'public' },
    isPublished: { type: Boolean, default: false },
    basename: { type: String, required: true },
    hostname: String,
    proxy: String,
    pendingProxy: String,
    agentsContext: { type: String, default: 'included' },
    adaptiveContent: { type: new Schema({ enabled: Boolean }, { _id: false }) } as never,
    icon: Schema.Types.Mixed,
    defaultLevel: { type: String, default: 'inherit' },
    access: { type: accessSchema, required: true } as never,
    defaultSiteSpace: String,
    defaultSection: String,
    siteSpaces: { type: Number, default: 0 },
    structureVersion: { type: Number, default: 1 },
    adaptiveSchema: { type: new Schema({ jsonSchema: String, updatedAt: Date }, { _id: false }) } as never,
    customization: Schema.Types.Mixed,
    version: { type: Number, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'sites', versionKey: false, minimize: false },
);
siteSchema.index({ organization: 1, createdAt: -1, _id: -1 });
siteSchema.index({ organization: 1, 'access.readers': 1, createdAt: -1, _id: -1 });
siteSchema.index({ organization: 1, basename: 1 }, { unique: true });
siteSchema.index({ hostname: 1 }, { unique: true, partialFilterExpression: { hostname: { $exists: true } } });
// A proxy shared by two sites is a mistake of the organization; resolving a URL must find all of them.
siteSchema.index({ proxy: 1 }, { partialFilterExpression: { proxy: { $exists: true } } });

export const Site = mongoose.model('Site', siteSchema);

/** A space on a site. */
export type SiteSpaceRecord = {
  _id: string;
  organization: string;
  site: string;
  section?: string;
  space: string;
  path: string;
  condition?: string;
  /** Overrides of the site's look. */
  customization?: { overrides: SiteSpaceCustomization; updatedAt: Date };
  /** Its parent: the section, or the site without sections. */
  siblingsOf: string;
  /** Place among its siblings: positions.ts. */
  position: string;
  version?: number;
  createdAt: Date;
};

const siteSpaceSchema = new Schema<SiteSpaceRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    site: { type: String, required: true },
    section: String,
    space: { type: String, required: true },
    path: { type: String, required: true },
    condition: String,
    customization: Schema.Types.Mixed,
    siblingsOf: { type: String, required: true },
    position: { type: String, required: true },
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'siteSpaces', versionKey: false, minimize: false },
);
siteSpaceSchema.index({ siblingsOf: 1, path: 1 }, { unique: true });
siteSpaceSchema.index({ siblingsOf: 1, space: 1 }, { unique: true });
siteSpaceSchema.index({ siblingsOf: 1, position: 1, _id: 1 });
siteSpaceSchema.index({ site: 1, siblingsOf: 1, position: 1, _id: 1 });
siteSpaceSchema.index({ space: 1, site: 1 });

export const SiteSpace = mongoose.model('SiteSpace', siteSpaceSchema);

/** A part of a site with its own path: one space, or several variants of it. */
export type SiteSectionRecord = {
  _id: string;
  organization: string;
  site: string;
  /** Its group. */
  group?: string;
  title: string;
  description?: string;
  icon?: string;
  path: string;
  condition?: string;
  /** Absent in an empty section. */
  defaultSiteSpace?: string;
  /** Its parent: the group, or the site. At the root, sections and groups share one order. */
  siblingsOf: string;
  position: string;
  version?: number;
  createdAt: Date;
};

const siteSectionSchema = new Schema<SiteSectionRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    site: { type: String, required: true },
    group: String,
    title: { type: String, required: true },
    description: String,
    icon: String,
    path: { type: String, required: true },
    condition: String,
    defaultSiteSpace: String,
    siblingsOf: { type: String, required: true },
    position: { type: String, required: true },
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'siteSections', versionKey: false },
);
// A group has no path of its own, so all sections of a site need different paths.
siteSectionSchema.index({ site: 1, path: 1 }, { unique: true });
siteSectionSchema.index({ siblingsOf: 1, position: 1, _id: 1 });
siteSectionSchema.index({ site: 1, siblingsOf: 1, position: 1, _id: 1 });

export const SiteSection = mongoose.model('SiteSection', siteSectionSchema);

/** Sections under one heading. Groups are not nested. */
export type SiteSectionGroupRecord = {
  _id: string;
  organization: string;
  site: string;
  title: string;
  icon?: string;
  /** The site. */
  siblingsOf: string;
  position: string;
  version?: number;
  createdAt: Date;
};

const siteSectionGroupSchema = new Schema<SiteSectionGroupRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    site: { type: String, required: true },
    title: { type: String, required: true },
    icon: String,
    siblingsOf: { type: String, required: true },
    position: { type: String, required: true },
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'siteSectionGroups', versionKey: false },
);
siteSectionGroupSchema.index({ siblingsOf: 1, position: 1, _id: 1 });

export const SiteSectionGroup = mongoose.model('SiteSectionGroup', siteSectionGroupSchema);

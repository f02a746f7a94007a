import type { OpenAPISettings, Role, TeamRole } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

export type OrganizationRecord = {
  _id: string;
  title: string;
  /** The domains named by its admins; unproven ones have no effect. */
  emailDomains: string[];
  /** The proven ones of these (emailDomains.ts). */
  provenEmailDomains?: string[];
  hostname?: string;
  /** The role of a member without a role of its own; null for guests. */
  defaultRole: Role | null;
  defaultContent?: { type: 'site'; site: string };
  logo?: string;
  sso?: boolean;
  ai?: boolean;
  inviteLinks?: boolean;
  openapiSettings?: OpenAPISettings;
  /** Counts the changes to its tree of collections (access.ts). */
  treeVersion?: number;
  /** Counts the writes that may remove an admin (members.ts). */
  adminVersion?: number;
  version?: number;
  createdAt: Date;
};

const organizationSchema = new Schema<OrganizationRecord>(
  {
    _id: String,
    title: { type: String, required: true },
    emailDomains: { type: [String], default: [] },
    provenEmailDomains: { type: [String], default: [] },
    hostname: String,
    defaultRole: { type: String, default: 'read' },
    defaultContent: new Schema({ type: String, site: String }, { _id: false, typeKey: '$type' }) as never,
    logo: String,
    sso: Boolean,
    ai: Boolean,
    inviteLinks: Boolean,
    // Names of rules may contain dots, which the paths of a schema cannot.
    openapiSettings: Schema.Types.Mixed,
    treeVersion: Number,
    adminVersion: Number,
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'organizations', versionKey: false },
);
organizationSchema.index({ emailDomains: 1 });
organizationSchema.index({ provenEmailDomains: 1 });
organizationSchema.index(
  { hostname: 1 },
  { unique: true, partialFilterExpression: { hostname: { $exists: true } } },
);

export const Organization = mongoose.model('Organization', organizationSchema);

export type MemberRecord = {
  _id: string;
  organization: string;
  user: string;
  /** null for guests, who see only the objects granted to them. */
  role: Role | null;
  /** The member's teams, and the role in each. */
  teams: { team: string; role: TeamRole }[];
  /** Copies from the user, for searching and sorting lists. */
  displayName: string;
  email?: string;
  /** Signs in through the organization's provider. */
  sso?: boolean;
  version?: number;
  joinedAt: Date;
  lastSeenAt?: Date;
};

const memberSchema = new Schema<MemberRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    user: { type: String, required: true },
    role: { type: String, default: null },
    teams: { type: [new Schema({ team: String, role: String }, { _id: false })], default: [] } as never,
    displayName: { type: String, required: true },
    email: String,
    sso: Boolean,
    version: { type: Number, default: 1 },
    joinedAt: { type: Date, required: true },
    lastSeenAt: Date,
  },
  { collection: 'members', versionKey: false },
);
memberSchema.index({ user: 1, organization: 1 }, { unique: true });
memberSchema.index({ organization: 1, joinedAt: -1, _id: -1 });
memberSchema.index({ organization: 1, lastSeenAt: -1, _id: -1 });
memberSchema.index({ organization: 1, displayName: 1, _id: 1 });
memberSchema.index({ organization: 1, role: 1, joinedAt: -1, _id: -1 });
memberSchema.index({ organization: 1, role: 1, lastSeenAt: -1, _id: -1 });
memberSchema.index({ organization: 1, role: 1, displayName: 1, _id: 1 });
memberSchema.index({ 'teams.team': 1, joinedAt: -1, _id: -1 });

export const Member = mongoose.model('Member', memberSchema);

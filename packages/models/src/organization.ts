import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

export type OrganizationRecord = {
  _id: string;
  title: string;
  emailDomains: string[];
  hostname?: string;
  /** What a member without a role of its own may do; null for guests. */
  defaultRole: Role | null;
  createdAt: Date;
};

const organizationSchema = new Schema<OrganizationRecord>(
  {
    _id: String,
    title: { type: String, required: true },
    emailDomains: { type: [String], default: [] },
    hostname: String,
    defaultRole: { type: String, default: 'read' },
    createdAt: { type: Date, required: true },
  },
  { collection: 'organizations', versionKey: false },
);
organizationSchema.index({ hostname: 1 }, { unique: true, partialFilterExpression: { hostname: { $type: 'string' } } });

export const Organization = mongoose.model('Organization', organizationSchema);

export type MemberRecord = {
  _id: string;
  organization: string;
  user: string;
  /** null for guests, who see only what was granted to them. */
  role: Role | null;
  joinedAt: Date;
  lastSeenAt?: Date;
};

const memberSchema = new Schema<MemberRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    user: { type: String, required: true },
    role: { type: String, default: null },
    joinedAt: { type: Date, required: true },
    lastSeenAt: Date,
  },
  { collection: 'members', versionKey: false },
);
memberSchema.index({ user: 1, organization: 1 }, { unique: true });
memberSchema.index({ organization: 1, joinedAt: -1, _id: -1 });

export const Member = mongoose.model('Member', memberSchema);

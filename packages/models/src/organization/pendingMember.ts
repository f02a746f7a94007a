import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/**
 * A request of an organization to a user: to become a member, to let its SAML provider sign them in, or both.
 * It has no effect until the user accepts.
 */
export type PendingMemberRecord = {
  /** `ORGANIZATION/USER` */
  _id: string;
  organization: string;
  user: string;
  email?: string;
  /** false for a member, who is only asked for `sso`. */
  joins: boolean;
  role: Role | null;
  sso: boolean;
  /** The admin who asks; the request can be accepted only while they are an admin. */
  askedBy: string;
  createdAt: Date;
  expiresAt: Date;
};

const schema = new Schema<PendingMemberRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    user: { type: String, required: true },
    email: String,
    joins: { type: Boolean, required: true },
    role: { type: String, default: null },
    sso: { type: Boolean, required: true },
    askedBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'pendingMembers', versionKey: false },
);
schema.index({ organization: 1, createdAt: -1, _id: -1 });
schema.index({ user: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, askedBy: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const PendingMember = mongoose.model('PendingMember', schema);

const openMs = 30 * 86_400_000;

export function pendingMemberId({
  organization,
  user,
}: Pick<PendingMemberRecord, 'organization' | 'user'>): string {
  return `${organization}/${user}`;
}

/** Asks users; earlier requests of the same organization are replaced. */
export async function askUsers(
  asked: readonly Omit<PendingMemberRecord, '_id' | 'createdAt' | 'expiresAt'>[],
  session: ClientSession,
): Promise<void> {
  if (asked.length === 0) return;
  const createdAt = new Date();
  const records = asked.map((one) => ({
    _id: pendingMemberId(one),
    ...one,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + openMs),
  }));
  await PendingMember.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } }, { session });
  await PendingMember.insertMany(records, { session });
}

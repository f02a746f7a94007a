import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

/**
 * An invite link. Its user becomes a member of an organization, or a guest with access to one space or
 * collection.
 */
export type InviteRecord = {
  /** Random: the secret of the link. */
  _id: string;
  organization: string;
  /** The role it gives, in the organization or in the target. null makes its user a guest without a role. */
  role: Role | null;
  target?: { type: 'space' | 'collection'; id: string };
  /** The number of uses. */
  uses?: number;
  /** Counts the changes of the record, for `If-Match`. */
  version: number;
  createdBy: string;
  createdAt: Date;
};

const schema = new Schema<InviteRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    role: { type: String, default: null },
    target: new Schema({ type: String, id: String }, { _id: false, typeKey: '$type', id: false }) as never,
    uses: Number,
    version: { type: Number, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'invites', versionKey: false },
);
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const Invite = mongoose.model('Invite', schema);

import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

/**
 * A role granted to a user or a team in one space, collection or site. Every write must also refresh the
 * `access` of its target.
 */
export type GrantRecord = {
  _id: string;
  organization: string;
  targetType: 'space' | 'collection' | 'site';
  target: string;
  principalType: 'user' | 'team';
  principal: string;
  role: Role;
  createdAt: Date;
};

const schema = new Schema<GrantRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    targetType: { type: String, required: true },
    target: { type: String, required: true },
    principalType: { type: String, required: true },
    principal: { type: String, required: true },
    role: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'grants', versionKey: false },
);
schema.index({ target: 1, principal: 1 }, { unique: true });
schema.index({ target: 1, principalType: 1, createdAt: -1, _id: -1 });
schema.index({ principal: 1, organization: 1 });

export const Grant = mongoose.model('Grant', schema);

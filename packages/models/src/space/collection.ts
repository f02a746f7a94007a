import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { accessSchema, type AccessRecord } from '../access/access.ts';

/**
 * A group of spaces and of further collections. Collections and spaces share one order among their siblings.
 */
export type CollectionRecord = {
  _id: string;
  organization: string;
  title: string;
  description?: string;
  parent?: string;
  /** The collections above, outermost first; the last one is `parent`. */
  ancestors: string[];
  /** Its parent: a collection, or the organization at the root. */
  siblingsOf: string;
  /** Place among its siblings (positions.ts). */
  position: string;
  defaultLevel: Role | 'inherit' | null;
  access: AccessRecord;
  /** Counts the locks for changes of the tree (refreshAccess.ts). */
  treeVersion?: number;
  /** Counts the changes of the record, for `If-Match`. */
  version: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
};

const schema = new Schema<CollectionRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    title: { type: String, required: true },
    description: String,
    parent: String,
    ancestors: { type: [String], default: [] },
    siblingsOf: { type: String, required: true },
    position: { type: String, required: true },
    defaultLevel: { type: String, default: 'inherit' },
    access: { type: accessSchema, required: true } as never,
    treeVersion: Number,
    version: { type: Number, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'collections', versionKey: false },
);
schema.index({ siblingsOf: 1, position: 1, _id: 1 });
schema.index({ organization: 1, siblingsOf: 1, position: 1, _id: 1 });
schema.index({ organization: 1, 'access.readers': 1, siblingsOf: 1, position: 1, _id: 1 });
schema.index({ ancestors: 1 });

export const Collection = mongoose.model('Collection', schema);

import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';

/**
 * An order for a certificate, kept for as long as authorities count it. It is apart from the hostname, whose
 * deletion ends nothing at the authority.
 */
export type CertificateOrderRecord = { organization: string; at: Date };

const schema = new Schema<CertificateOrderRecord>(
  { organization: { type: String, required: true }, at: { type: Date, required: true } },
  { collection: 'certificateOrders', versionKey: false },
);
schema.index({ at: 1 }, { expireAfterSeconds: 10_800 });
schema.index({ organization: 1, at: 1 });

export const CertificateOrder = mongoose.model('CertificateOrder', schema);

/** Records that an order for a hostname of an organization begins. */
export async function noteOrder(organization: string): Promise<void> {
  await CertificateOrder.create({ organization, at: databaseNow() });
}

/** Counts the orders that began within a time: of one organization, or of all. */
export async function countOrders(withinMs: number, organization?: string): Promise<number> {
  const at = { $gte: new Date(databaseNow().getTime() - withinMs) };
  return CertificateOrder.countDocuments(organization === undefined ? { at } : { organization, at });
}

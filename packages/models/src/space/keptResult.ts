import mongoose, { Schema } from 'mongoose';

/** MongoDB removes a result this long after its last use; the next reader computes it again. */
const keptMs = 14 * 24 * 3_600_000;

/**
 * The result of an expensive computation, for all processes: a parsed text, a rendered page. It never
 * changes, because its id is a hash of its input and of the code.
 */
type KeptResultRecord = {
  _id: string;
  /** Compressed; packages/content defines the form. */
  packed: Uint8Array;
  expireAt: Date;
};

const schema = new Schema<KeptResultRecord>(
  {
    _id: String,
    packed: { type: Buffer as never, required: true },
    expireAt: { type: Date, required: true },
  },
  { collection: 'keptResults', versionKey: false },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const KeptResult = mongoose.model('KeptResult', schema);

/** Finds a result, and keeps it for longer when it has half of its time left. */
export async function findKeptResult(id: string): Promise<Uint8Array | undefined> {
  const found = await KeptResult.findById(id).lean<KeptResultRecord>();
  if (!found) return undefined;
  if (found.expireAt.getTime() < Date.now() + keptMs / 2)
    await KeptResult.updateOne({ _id: id }, { expireAt: new Date(Date.now() + keptMs) });
  return found.packed;
}

/** Stores a result. Another process may have stored the same meanwhile. */
export async function storeKeptResult(id: string, packed: Uint8Array): Promise<void> {
  const $setOnInsert = { packed: Buffer.from(packed), expireAt: new Date(Date.now() + keptMs) };
  await KeptResult.updateOne({ _id: id }, { $setOnInsert }, { upsert: true });
}

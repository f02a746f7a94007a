import { isDuplicateKey, Lease } from '@bindery/models';

/**
 * Takes or renews the right to do what only one process may do, by MongoDB's clock.
 *
 * @returns whether `holder` has it for the next `leaseMs`
 */
export async function takeLeadership(name: string, holder: string, leaseMs: number): Promise<boolean> {
  try {
    const lease = await Lease.findOneAndUpdate(
      { _id: name, $or: [{ holder }, { $expr: { $lt: ['$until', '$$NOW'] } }] },
      [{ $set: { holder: { $literal: holder }, until: { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: leaseMs } } } }],
      { upsert: true, updatePipeline: true, returnDocument: 'after' },
    ).lean();
    return lease?.holder === holder;
  } catch (error) {
    // The upsert of a lease that somebody else holds collides with it.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Gives the right back, so that the next process need not wait for its end. */
export async function releaseLeadership(name: string, holder: string): Promise<void> {
  await Lease.deleteOne({ _id: name, holder }).catch(() => {});
}

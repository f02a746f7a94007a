import { isDuplicateKey, Lease } from '@bindery/models';

/**
 * Takes or renews the right to do what only one process may do, by MongoDB's clock.
 *
 * @returns whether `holder` has it for the next `leaseMs`
 */
export async function takeLeadership(name: string, holder: string, leaseMs: number): Promise<boolean> {
  // An upsert may not compare with the clock in its filter, so the update itself decides.
  const isFree = { $or: [{ $eq: ['$holder', { $literal: holder }] }, { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }] };
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: leaseMs } };
  try {
    const lease = await Lease.findOneAndUpdate(
      { _id: name },
      [{ $set: { holder: { $cond: [isFree, { $literal: holder }, '$holder'] }, until: { $cond: [isFree, until, '$until'] } } }],
      { upsert: true, updatePipeline: true, returnDocument: 'after' },
    ).lean();
    return lease?.holder === holder;
  } catch (error) {
    // Two processes made the lease at the same moment.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Gives the right back, so that the next process need not wait for its end. */
export async function releaseLeadership(name: string, holder: string): Promise<void> {
  await Lease.deleteOne({ _id: name, holder }).catch(() => {});
}

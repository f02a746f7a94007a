import {
  webhookDeliveryCollection,
  webhookLaneCollection,
  type WebhookDeliveryRecord,
  type WebhookLaneRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { attemptMs } from './sendDelivery.ts';

/**
 * Longer than any attempt: after it the process counts as dead, and the attempt is repeated under the same
 * id.
 */
const leaseMs = attemptMs + 2_000;

/**
 * Writes to lanes do not wait for the journal: if one is lost with the primary, its lane is due too early, or
 * when its claim ends. So lanes and their deliveries are read with the read concern `local`, as they are on
 * the primary.
 */
const writeConcern = { w: 1, j: false } as const;
const readConcern = { level: 'local' } as const;

// Used as a computed field of sorted reads: as a filter, it might make MongoDB scan all lanes that are not
// due.
const isLaneDue = { $lte: ['$dueAt', '$$NOW'] };
const isDeliveryDue = { $lte: ['$nextAttemptAt', '$$NOW'] };

/** Finds endpoints with a due lane, longest due first. Skips through the index, one step per endpoint. */
export async function endpointsWithDue(): Promise<string[]> {
  const found = await webhookLaneCollection()
    .aggregate<{ _id: string }>(
      [
        { $sort: { endpoint: 1, dueAt: 1 } },
        { $group: { _id: '$endpoint', next: { $first: '$dueAt' } } },
        { $match: { $expr: { $lte: ['$next', '$$NOW'] } } },
        { $sort: { next: 1 } },
      ],
      { hint: { endpoint: 1, dueAt: 1 }, readConcern },
    )
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Returns the ids of the first due lanes of an endpoint, longest due first. */
export async function findDueLanes(endpoint: string, limit: number): Promise<string[]> {
  const lanes = await webhookLaneCollection()
    .find({ endpoint }, { projection: { isDue: isLaneDue }, readConcern })
    .sort({ dueAt: 1 })
    .limit(limit)
    .toArray();
  return lanes.filter((lane) => 'isDue' in lane && lane.isDue === true).map(({ _id }) => _id);
}

export type ClaimedLane = Pick<WebhookLaneRecord, '_id'> & { claim: string };

/**
 * Claims a lane for one attempt, if it is still due. A lane that is never released becomes due again once the
 * attempt counts as lost.
 */
export async function claimLane(_id: string): Promise<ClaimedLane | undefined> {
  const claim = newId();
  const claimed = [{ $set: { claim, dueAt: { $add: ['$$NOW', leaseMs] }, isWoken: false } }];
  const { matchedCount } = await webhookLaneCollection().updateOne({ _id, $expr: isLaneDue }, claimed, {
    writeConcern,
  });
  return matchedCount === 1 ? { _id, claim } : undefined;
}

/** Claims the next delivery of a lane, if it is due. */
export async function claimNextDelivery(lane: string): Promise<WebhookDeliveryRecord | null> {
  const next = await findNext(lane);
  if (!next?.isDue) return null;
  return webhookDeliveryCollection().findOneAndUpdate(
    { _id: next._id, state: 'pending', $expr: isDeliveryDue },
    { $inc: { tries: 1 } },
    { returnDocument: 'after' },
  );
}

/**
 * Releases a lane: it is due when its next delivery is, after lanes that are already waiting, and is removed
 * when it has none.
 *
 * The search for the next delivery may miss one added since the claim; then the lane is due immediately, to
 * be checked again.
 */
export async function releaseLane({ _id, claim }: ClaimedLane): Promise<void> {
  const lanes = webhookLaneCollection();
  const next = await findNext(_id);
  if (!next && (await lanes.deleteOne({ _id, claim, isWoken: false }, { writeConcern })).deletedCount === 1)
    return;
  const dueAt = next ? { $cond: ['$isWoken', '$$NOW', { $max: [next.nextAttemptAt, '$$NOW'] }] } : '$$NOW';
  await lanes.updateOne({ _id, claim }, [{ $set: { dueAt } }, { $unset: ['claim'] }], { writeConcern });
}

type Next = Pick<WebhookDeliveryRecord, '_id' | 'nextAttemptAt'> & { isDue: boolean };

async function findNext(lane: string): Promise<Next | undefined> {
  const [next] = await webhookDeliveryCollection()
    .find({ lane, state: 'pending' }, { readConcern })
    .project<Next>({ nextAttemptAt: 1, isDue: isDeliveryDue })
    .sort({ nextAttemptAt: 1 })
    .limit(1)
    .toArray();
  return next;
}

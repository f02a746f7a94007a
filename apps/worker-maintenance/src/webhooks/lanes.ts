import { webhookDeliveryCollection, webhookLaneCollection, type WebhookDeliveryRecord, type WebhookLaneRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { attemptMs } from './sendDelivery.ts';

/** Longer than any attempt takes: then its process counts as dead, and the attempt is repeated under the same id. */
const leaseMs = attemptMs + 2_000;

/**
 * Writes to lanes do not wait for the journal: if one is lost with the primary, its lane is due too early, or when its claim has ended. So lanes and
 * their deliveries are read with the read concern `local`, as the primary has them at that moment.
 */
const writeConcern = { w: 1, j: false } as const;
const readConcern = { level: 'local' } as const;

// Sorted reads take it as a computed field: as a filter, it might make MongoDB scan all lanes that are not due.
const isLaneDue = { $lte: ['$dueAt', '$$NOW'] };
const isDeliveryDue = { $lte: ['$nextAttemptAt', '$$NOW'] };

/** Endpoints with a lane that is due, those that are due longest first. Skips through the index, one step for each endpoint. */
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

/** Ids of the first due lanes of an endpoint, those that are due longest first. */
export async function findDueLanes(endpoint: string, limit: number): Promise<string[]> {
  const lanes = await webhookLaneCollection()
    .find({ endpoint }, { projection: { isDue: isLaneDue }, readConcern })
    .sort({ dueAt: 1 })
    .limit(limit)
    .toArray();
  return lanes.filter((lane) => 'isDue' in lane && lane.isDue === true).map(({ _id }) => _id);
}

export type ClaimedLane = Pick<WebhookLaneRecord, '_id'> & { claim: string };

/** Claims a lane for one attempt, if it is still due. A lane that is never released is due again once the attempt counts as lost. */
export async function claimLane(_id: string): Promise<ClaimedLane | undefined> {
  const claim = newId();
  const claimed = [{ $set: { claim, dueAt: { $add: ['$$NOW', leaseMs] }, isWoken: false } }];
  const { matchedCount } = await webhookLaneCollection().updateOne({ _id, $expr: isLaneDue }, claimed, { writeConcern });
  return matchedCount === 1 ? { _id, claim } : undefined;
}

/** Starts an attempt of the next delivery in a lane, if that is due. */
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
 * Releases a lane: it is due when its next delivery is, behind the lanes that wait already, and removed when it has none.
 *
 * The look for the next delivery may miss one that was added since the claim: then the lane is due at once, for another look.
 */
export async function releaseLane({ _id, claim }: ClaimedLane): Promise<void> {
  const lanes = webhookLaneCollection();
  const next = await findNext(_id);
  if (!next && (await lanes.deleteOne({ _id, claim, isWoken: false }, { writeConcern })).deletedCount === 1) return;
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

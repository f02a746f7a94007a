import { failPendingWebhookDeliveries, WebhookEndpoint, type WebhookEndpointRecord } from '@bindery/models';

/** An endpoint that fails continuously for this long is disabled. */
const maxFailingMs = 5 * 24 * 60 * 60 * 1000;

type Tried = Pick<WebhookEndpointRecord, '_id' | 'url'>;

/**
 * Matches the endpoint only with the URL of the attempt: an answer of an earlier URL says nothing about the
 * present one.
 */
const asTried = ({ _id, url }: Tried) => ({ _id, url, isEnabled: true });

export async function noteSuccess({ _id, url }: Tried): Promise<void> {
  await WebhookEndpoint.updateOne(
    { _id, url, failingSince: { $exists: true } },
    { $unset: { failingSince: 1 } },
  );
}

/** Records a failure, and disables the endpoint after five days with nothing but failures. */
export async function noteFailure(endpoint: Tried): Promise<void> {
  const after = await WebhookEndpoint.findOneAndUpdate(
    asTried(endpoint),
    [
      { $set: { failingSince: { $ifNull: ['$failingSince', '$$NOW'] } } },
      { $set: { isEnabled: { $gt: [{ $add: ['$failingSince', maxFailingMs] }, '$$NOW'] } } },
      {
        $set: {
          disabledReason: { $cond: ['$isEnabled', '$$REMOVE', 'failing'] },
          updatedAt: { $cond: ['$isEnabled', '$updatedAt', '$$NOW'] },
        },
      },
    ],
    { updatePipeline: true, returnDocument: 'after', projection: { isEnabled: 1 } },
  ).lean<Pick<WebhookEndpointRecord, 'isEnabled'>>();
  if (after && !after.isEnabled) await failPendingWebhookDeliveries(endpoint._id);
}

/** Disables an endpoint that answered 410 Gone. */
export async function disableGone(endpoint: Tried): Promise<void> {
  const { matchedCount } = await WebhookEndpoint.updateOne(asTried(endpoint), {
    $set: { isEnabled: false, disabledReason: 'gone' },
    $currentDate: { updatedAt: true },
  });
  if (matchedCount === 1) await failPendingWebhookDeliveries(endpoint._id);
}

import { isDuplicateKey, jobCollection, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { after, isOfDispatch, now, ofEach, type JobFilter } from '../queue/pipeline.ts';
import { eventsAtStart } from './syncEvents.ts';

/** How a worker claims queued jobs. The later writes of a run are in transitions.ts. */

const maxAttemptsKept = 50;

/** The sweeper ends a job past its deadline. */
const isNotLate = { $expr: { $gte: [{ $ifNull: ['$deadlineAt', now] }, now] } };

/**
 * The answer to a claim. Refused as `gone` when this dispatch may not run the job any more, as `lane` or
 * `seat` when running jobs exclude it, as `version` when it needs a newer worker, and as `late` when it
 * should have started earlier.
 */
export type Claim = { job: JobRecord } | { refused: 'gone' | 'lane' | 'seat' | 'version' | 'late' };

/** The job to claim, the dispatch that delivered it, and the seats that it needs. */
export type ClaimRequest = {
  id: string;
  dispatch: number;
  /** The job's seats in the pools of its organization (seats.ts). */
  seats?: readonly string[];
};

/** The worker that claims a job. */
export type Claimant = {
  worker: string;
  /** The newest input version of each kind that this worker can read. */
  known: readonly { kind: string; version: number }[];
  /** The longest time from the first start to the end. */
  deadlineMs: (kind: string) => number;
  leaseMs: number;
};

/**
 * Claims a queued job for a run. A job whose run was lost is not queued: the sweeper requeues it, because
 * only the sweeper knows whether the worker is gone.
 */
export async function claimJob(request: ClaimRequest, claimant: Claimant): Promise<Claim> {
  const { id, dispatch } = request;
  try {
    const job = await jobCollection().findOneAndUpdate(
      areClaimable([request], claimant),
      claimsOf([request], claimant),
      {
        returnDocument: 'after',
      },
    );
    if (job) return { job };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return { refused: isOfSeats(error) ? 'seat' : 'lane' };
  }
  const stored = await jobCollection().findOne(
    { _id: id, dispatch, state: 'queued' },
    { projection: { kind: 1, version: 1 } },
  );
  if (!stored) return { refused: 'gone' };
  return {
    refused: claimant.known.some(({ kind, version }) => kind === stored.kind && version >= stored.version)
      ? 'late'
      : 'version',
  };
}

/**
 * Claims many jobs in two round trips: one update of all costs MongoDB a third of single updates. Each
 * refused claim takes another round trip to find the reason.
 *
 * @returns the answers in the order of the requests
 */
export async function claimJobs(
  requests: readonly ClaimRequest[],
  claimant: Claimant,
): Promise<(Claim | Promise<Claim>)[]> {
  const [first, ...others] = requests;
  // Awaited here, so that requests that arrive during the claim form the next batch.
  if (first && others.length === 0) return [await claimJob(first, claimant)];
  // The mark separates these claims from earlier ones of the same worker.
  const mark = newId();
  await jobCollection()
    .updateMany(areClaimable(requests, claimant), claimsOf(requests, claimant, mark))
    // MongoDB stops at the first job whose lane or seat is taken. The jobs before it are claimed; the others
    // are tried one by one below.
    .catch(() => {});
  const claimed = await jobCollection()
    .find({ _id: { $in: requests.map(({ id }) => id) }, claim: mark, state: 'running' })
    .toArray();
  const byId = new Map(claimed.map((job) => [job._id, job]));
  return requests.map((request) => {
    const job = byId.get(request.id);
    if (job?.dispatch !== request.dispatch) return claimJob(request, claimant);
    // A second request for the same job is refused.
    byId.delete(request.id);
    return { job };
  });
}

function areClaimable(requests: readonly ClaimRequest[], { known }: Claimant): JobFilter {
  return {
    _id: { $in: requests.map(({ id }) => id) },
    state: 'queued',
    $and: [
      { $or: known.map(({ kind, version }) => ({ kind, version: { $lte: version } })) },
      isOfDispatch(requests),
      isNotLate,
    ],
  };
}

function claimsOf(
  requests: readonly ClaimRequest[],
  { worker, known, deadlineMs, leaseMs }: Claimant,
  mark?: string,
) {
  const deadline = {
    $switch: {
      branches: known.map(({ kind }) => ({ case: { $eq: ['$kind', kind] }, then: after(deadlineMs(kind)) })),
      default: after(60_000),
    },
  };
  const attempt = { epoch: { $add: ['$epoch', 1] }, worker: { $literal: worker }, startedAt: now };
  const seats = ofEach(requests, (request) => (request.seats?.length ? request.seats : null));
  return [
    {
      $set: {
        state: 'running',
        epoch: { $add: ['$epoch', 1] },
        attempts: { $slice: [{ $concatArrays: ['$attempts', [attempt]] }, -maxAttemptsKept] },
        worker: { $literal: worker },
        claim: mark ?? '$$REMOVE',
        leaseUntil: after(leaseMs),
        startedAt: { $ifNull: ['$startedAt', now] },
        // Before the first start it is the deadline for starting.
        deadlineAt: {
          $cond: [{ $ifNull: ['$startedAt', false] }, { $ifNull: ['$deadlineAt', deadline] }, deadline],
        },
        seats: { $ifNull: [seats, '$$REMOVE'] },
        dispatchedAt: { $ifNull: ['$dispatchedAt', now] },
        events: eventsAtStart(),
        seq: { $add: ['$seq', 1] },
      },
    },
    { $unset: ['waiting', 'runAfter', 'error'] },
  ];
}

/** Whether a write was refused because another running job of the organization has one of the seats. */
function isOfSeats(error: unknown): boolean {
  return Object.hasOwn((error as { keyPattern?: object }).keyPattern ?? {}, 'seats');
}

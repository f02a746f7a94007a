import { hash } from 'node:crypto';
import { ApiError } from '@bindery/contract';
import {
  answerIdempotencyKey,
  claimIdempotencyKey,
  commitIdempotencyKey,
  jobCollection,
  keepIdempotentJob,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  withFirstCommit,
  type IdempotencyRecord,
} from '@bindery/models';
import {
  faultPoint,
  isSignatureValid,
  openSecret,
  sealSecret,
  signText,
  type SecretKeys,
} from '@bindery/runtime';
import type { Answer } from './http/answer/answer.ts';
import { isOutage } from './http/outage.ts';
import type { IdempotentCall, Services } from './http/services.ts';

const purpose = 'idempotency';
/** Longer answers are not stored. */
const maxAnswerCharacters = 1024 * 1024;

/**
 * Executes a request once, however often it is sent with the same `Idempotency-Key`, even if this process
 * dies on the way.
 *
 * - The key is claimed before the handler starts and is leased while it runs; during that time the same
 *   request gets 409.
 * - The handler's first transaction also writes to the record that the request was carried out, so that both
 *   are stored or neither. A hung run whose lease was taken over by another run can no longer commit.
 * - The answer is stored afterwards. If it is missing (the process died in between), the same request gets
 *   409: it is never executed twice.
 * - A refused request had no effect and releases the key.
 * - A request that waited for a job in vain is executed again with that job, or anew if the job has failed.
 *
 * @param leaseMs  how long the key of a request that had no effect stays claimed after its process died
 */
export function createIdempotency({
  secrets,
  leaseMs = 20_000,
}: {
  secrets: SecretKeys;
  leaseMs?: number;
}): NonNullable<Services['idempotency']> {
  return async ({ key, operationId, actor, fingerprint, awaitedJob }, run) => {
    // Keys belong to users, so anonymous calls have none.
    if (!actor) return run();
    const id = hash('sha256', JSON.stringify([actor.user.id, operationId, key]), 'base64url');
    // The fingerprint is keyed: the content of a request, such as a password, must not be found by guessing.
    const claim = await claimIdempotencyKey({
      id,
      operationId,
      fingerprint: signText(secrets, purpose, fingerprint),
      leaseMs,
    });
    if (!claim.isMine) return earlierAnswer(claim, { fingerprint, secrets });
    await faultPoint('idempotency.claimed');
    const answer = await held(claim, { leaseMs, run, awaitedJob });
    await faultPoint('idempotency.committed');
    // The request was carried out. A failure to store its answer must not turn it into an error.
    await answerIdempotencyKey(claim, sealed(secrets, id, answer)).catch(() => {});
    return answer;
  };
}

async function held(
  claim: IdempotencyRecord,
  {
    leaseMs,
    run,
    awaitedJob,
  }: { leaseMs: number; run: (earlierJob?: string) => Promise<Answer> } & Pick<IdempotentCall, 'awaitedJob'>,
): Promise<Answer> {
  const renewing = setInterval(() => void renewIdempotencyKey(claim, leaseMs).catch(() => {}), leaseMs / 3);
  try {
    const earlierJob = await findOfUse(claim.job);
    return await withFirstCommit(
      async (session) => {
        if (!(await commitIdempotencyKey(claim, session))) throw stillRunning();
      },
      () => run(earlierJob),
    );
  } catch (error) {
    const job = awaitedJob() ?? claim.job;
    // If this fails too, the lease expires by itself.
    const released = (job === undefined ? releaseIdempotencyKey(claim) : keepIdempotentJob(claim, job)).catch(
      () => {},
    );
    // In an outage it may wait long, also for a transaction that has been left open: the caller does not.
    if (!isOutage(error)) await released;
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** A job without a result had no effect: the request starts another one. */
async function findOfUse(job: string | undefined): Promise<string | undefined> {
  if (job === undefined) return undefined;
  const states = ['accepted', 'queued', 'running', 'succeeded'] as const;
  return (await jobCollection().findOne({ _id: job, state: { $in: [...states] } }))?._id;
}

/** The answer to a request whose key is already claimed. */
function earlierAnswer(
  record: IdempotencyRecord & { isHeld: boolean },
  { fingerprint, secrets }: { fingerprint: string; secrets: SecretKeys },
): Answer {
  if (!isSignatureValid(secrets, purpose, fingerprint, record.fingerprint)) {
    throw new ApiError('idempotency_mismatch', 'This `Idempotency-Key` was used for a different request.', {
      action: 'Send each request with a key of its own.',
    });
  }
  const answer = record.answer && opened(secrets, record);
  if (answer) return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
  if (record.isHeld) throw stillRunning();
  throw new ApiError(
    'conflict',
    'The request with this `Idempotency-Key` was executed, but its answer was lost.',
    {
      action: 'Check its result; send it with a new key only to execute it once more.',
    },
  );
}

function stillRunning(): ApiError {
  return new ApiError('conflict', 'The request with this `Idempotency-Key` is still being executed.', {
    action: 'Send the request again in a moment to get its answer.',
    headers: { 'Retry-After': '1' },
  });
}

function sealed(secrets: SecretKeys, id: string, answer: Answer) {
  const text = JSON.stringify(answer);
  return text.length > maxAnswerCharacters ? undefined : sealSecret(secrets, text, contextOf(id));
}

function opened(secrets: SecretKeys, { _id, answer }: IdempotencyRecord): Answer | undefined {
  try {
    return (
      answer && {
        body: undefined,
        ...(JSON.parse(openSecret(secrets, answer, contextOf(_id))) as Omit<Answer, 'body'>),
      }
    );
  } catch {
    // The answer was sealed with a key that is no longer configured.
    return undefined;
  }
}

function contextOf(id: string): string {
  return `${purpose}:${id}`;
}

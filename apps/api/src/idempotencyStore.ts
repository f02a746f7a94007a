import { hash } from 'node:crypto';
import { ApiError } from '@bindery/contract';
import {
  answerIdempotencyKey,
  claimIdempotencyKey,
  commitIdempotencyKey,
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
import type { Services } from './http/services.ts';

const purpose = 'idempotency';
/** A longer answer is not kept. */
const maxAnswerCharacters = 1024 * 1024;

/**
 * Carries a request out once, however often it is sent with the same `Idempotency-Key`, also when this
 * process dies on the way.
 *
 * - The key is taken before the handler runs, for as long as it runs: meanwhile the same request gets 409.
 * - The first transaction of the handler writes into the record that it was carried out, so that both are
 *   true or neither. A run that was given up for lost, because its process hung, and has been replaced by
 *   another one, cannot commit any more.
 * - The answer is stored after that. Without one (the process died between the two) the same request gets
 *   409: it is never done twice.
 * - What was refused did nothing, and leaves the key free.
 *
 * @param leaseMs  how long after the death of a process the key of a request that had done nothing is taken
 */
export function createIdempotency({
  secrets,
  leaseMs = 20_000,
}: {
  secrets: SecretKeys;
  leaseMs?: number;
}): NonNullable<Services['idempotency']> {
  return async ({ key, operationId, actor, fingerprint }, run) => {
    // Whoever has no name has no keys.
    if (!actor) return run();
    const id = hash('sha256', JSON.stringify([actor.user.id, operationId, key]), 'base64url');
    // Keyed: what a request holds, such as a login, must not be found by trying.
    const claim = await claimIdempotencyKey({
      id,
      operationId,
      fingerprint: signText(secrets, purpose, fingerprint),
      leaseMs,
    });
    if (!claim.isMine) return earlierAnswer(claim, { fingerprint, secrets });
    await faultPoint('idempotency.claimed');
    const answer = await held(claim, { leaseMs, run });
    await faultPoint('idempotency.committed');
    // The request was carried out: whether that can be told once more later must not turn its answer into a
    // failure.
    await answerIdempotencyKey(claim, sealed(secrets, id, answer)).catch(() => {});
    return answer;
  };
}

async function held(
  claim: IdempotencyRecord,
  { leaseMs, run }: { leaseMs: number; run: () => Promise<Answer> },
): Promise<Answer> {
  const renewing = setInterval(() => void renewIdempotencyKey(claim, leaseMs).catch(() => {}), leaseMs / 3);
  try {
    return await withFirstCommit(async (session) => {
      if (!(await commitIdempotencyKey(claim, session))) throw stillRunning();
    }, run);
  } catch (error) {
    // Where this fails too, the lease ends by itself.
    await releaseIdempotencyKey(claim).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** What a request gets whose key is taken. */
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
    // Its key is not configured any more.
    return undefined;
  }
}

function contextOf(id: string): string {
  return `${purpose}:${id}`;
}

import { JobError } from '@bindery/contract/jobErrors';
import { retryAfterMs } from '@bindery/outbound';
import type { ServiceAnswer } from './service.ts';

/**
 * The error that the status of an answer stands for.
 *
 * @param name  of the service in texts: `DeepL`
 * @param variables  prefix of its configuration: `BINDERY_DEEPL`
 */
export function errorOfStatus(
  { status, headers }: Pick<ServiceAnswer, 'status' | 'headers'>,
  { name, variables }: { name: string; variables: string },
): JobError {
  const waitMs = retryAfterMs(headers);
  if (status === 401 || status === 403)
    return new JobError('auth', `${name} refused access (status ${status}).`, {
      action: `Ask the operator to check ${variables}_KEY, and that ${name} has not banned the platform.`,
    });
  // A 500 or 503 without a time to wait is an outage, which may last for ever: it must count as an attempt.
  if (status === 429 || status === 529 || ((status === 500 || status === 503) && waitMs !== undefined))
    return new JobError('throttled', `${name} asked to wait (status ${status}).`, {
      retryAfterMs: waitMs,
    });
  return new JobError('http_status', `${name} answered with status ${status}.`, {
    class: status >= 500 || status === 408 || status === 425 ? 'transient' : 'invalid',
    action: `Ask the operator to check ${variables}_URL.`,
  });
}

export function quotaUsedUp(name: string): JobError {
  return new JobError('quota', `The quota of ${name} is used up.`, {
    action: 'Raise it or wait for its next period, then run the translation again.',
  });
}

/** An answer whose status is success, and whose text is not what the service promises. */
export function unreadable(name: string): JobError {
  return new JobError('bad_content', `The answer of ${name} cannot be read.`, {
    class: 'transient',
    action: 'Ask the operator to check that the URL is that of the service, and not of something else.',
  });
}

/** Returns undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

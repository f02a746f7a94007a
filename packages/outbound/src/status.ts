import { JobError } from '@bindery/contract/jobErrors';
import type { OutboundResponse } from './outbound.ts';

/**
 * Throws for every answer except success (2xx) and discards its body; a caller that sent `If-None-Match`
 * checks for 304 first.
 *
 * @throws JobError `auth` (401, 403), `not_found` (404, 410), `redirect` (3xx), `throttled` (429, and 503
 *   with Retry-After), else `http_status`
 */
export function throwForStatus(response: OutboundResponse): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  void response.discard();
  throw statusError(status, response.headers);
}

function statusError(status: number, headers: Record<string, string>): JobError {
  const waitMs = retryAfterMs(headers);
  if (status === 401 || status === 403) {
    return new JobError('auth', `The server refused access (status ${status}).`, {
      action: 'Check the credentials and that they can read the repository.',
    });
  }
  if (status === 404 || status === 410) {
    return new JobError('not_found', `The server has nothing at this URL (status ${status}).`, {
      action: 'Check the URL; some servers also give this answer if credentials are missing.',
    });
  }
  if (status >= 300 && status < 400)
    return new JobError('redirect', `The server answered with a redirect (status ${status}).`);
  // A 503 without a time to wait is an outage, which may last for ever, so it must count as an attempt.
  if (status === 429 || (status === 503 && waitMs !== undefined)) {
    return new JobError(
      'throttled',
      `The server asked to wait (status ${status}).`,
      waitMs === undefined ? {} : { retryAfterMs: waitMs },
    );
  }
  return new JobError('http_status', `The server answered with status ${status}.`, {
    class: isWorthAnotherTry(status) ? 'transient' : 'invalid',
  });
}

function isWorthAnotherTry(status: number): boolean {
  return status >= 500 || status === 408 || status === 425;
}

const maxRetryAfterMs = 3_600_000;

/**
 * Parses `Retry-After`, in seconds or as an HTTP date; at most an hour, because the server may send anything.
 */
export function retryAfterMs(headers: Record<string, string>, now = Date.now()): number | undefined {
  const delayMs = delayOf(headers['retry-after']?.trim() ?? '', now);
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
}

function delayOf(text: string, now: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  return /^[A-Z][a-z]{2,8},/.test(text) ? Date.parse(text) - now : Number.NaN;
}

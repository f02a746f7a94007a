import { JobError } from '@bindery/contract';

/**
 * Thrown by an engine that asks to wait, such as by the status 429 or 503: every run that uses it then waits.
 */
export class EngineThrottled extends JobError {
  /**
   * @param engine        its name
   * @param retryAfterMs  how long it asks to wait; absent when it does not say
   */
  constructor(engine: string, { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {}) {
    super('throttled', `The translation engine ${engine} asks to wait.`, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(cause !== undefined && { cause }),
    });
    this.name = 'EngineThrottled';
  }
}

/** The error of an engine whose paid or free amount is used up: waiting does not help. */
export function engineQuotaExhausted(engine: string, cause?: unknown): JobError {
  return new JobError('quota', `The quota of the translation engine ${engine} is exhausted.`, {
    action: 'Raise its quota or wait for the next period, and run the translation again.',
    ...(cause !== undefined && { cause }),
  });
}

import { ApiError, JobError, jobErrorClasses, jobErrorCodes, type JobErrorCode } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { retries } from './defineJob.ts';
import { classify, decideRetry, type Failure } from './retry.ts';

const fresh = { tries: 0, resourceTries: 0 };

function failure(code: JobErrorCode, retryAfterMs?: number): Failure {
  return classify(new JobError(code, 'It failed.', { ...(retryAfterMs !== undefined && { retryAfterMs }) }));
}

describe('classify', () => {
  it('takes class, code, message and action from a JobError', () => {
    expect(classify(new JobError('auth', 'The login was refused.', { action: 'Check the token.' }))).toEqual({
      error: { class: 'auth', code: 'auth', message: 'The login was refused.', action: 'Check the token.' },
    });
    expect(
      classify(new JobError('internal', 'The content changed.', { class: 'invalid', retryAfterMs: 7 })),
    ).toMatchObject({
      error: { class: 'invalid' },
      retryAfterMs: 7,
    });
  });

  it('treats an ApiError as final', () => {
    expect(classify(new ApiError('not_found', 'No such space.')).error).toEqual({
      class: 'not_found',
      code: 'not_found',
      message: 'No such space.',
    });
    expect(classify(new ApiError('invalid_request', 'No.')).error).toMatchObject({
      class: 'invalid',
      code: 'bad_content',
    });
  });

  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('recognizes a full disk: %s', (code) => {
    expect(classify(Object.assign(new Error('write'), { code })).error).toMatchObject({
      class: 'resource',
      code: 'no_space',
      action: expect.any(String),
    });
  });

  it.each([new Error('https://user:secret@host failed'), 'a string', undefined, null, { code: 'ENOSPC' }])(
    'hides the details of an unknown error, and retries it: %s',
    (error) => {
      const { error: shown } = classify(error);
      expect(shown).toMatchObject({ class: 'transient', code: 'internal' });
      expect(JSON.stringify(shown)).not.toContain('secret');
    },
  );
});

describe('decideRetry', () => {
  it('retries each class by its rule', () => {
    const isTried = Object.fromEntries(
      jobErrorClasses.map((name) => [
        name,
        decideRetry({ error: { class: name, code: 'internal', message: '' } }, fresh, retries.network).retry,
      ]),
    );
    expect(isTried).toEqual({
      transient: true,
      throttled: true,
      resource: true,
      invalid: false,
      auth: false,
      not_found: false,
      crash: false,
    });
  });

  it('has a class for every code', () => {
    for (const code of Object.keys(jobErrorCodes) as JobErrorCode[])
      expect(jobErrorClasses).toContain(failure(code).error.class);
  });

  it('backs off with full jitter, from zero up to the cap', () => {
    const { baseMs, capMs, attempts } = retries.network;
    for (let counted = 0; counted < attempts - 1; counted += 1) {
      const highestMs = Math.min(capMs, baseMs * 2 ** counted);
      expect(decideRetry(failure('connect'), { ...fresh, tries: counted }, retries.network, 1)).toEqual({
        retry: true,
        delayMs: highestMs,
        counts: 'tries',
      });
      expect(decideRetry(failure('connect'), { ...fresh, tries: counted }, retries.network, 0)).toEqual({
        retry: true,
        delayMs: 0,
        counts: 'tries',
      });
      for (let round = 0; round < 100; round += 1) {
        const decision = decideRetry(failure('connect'), { ...fresh, tries: counted }, retries.network);
        if (!decision.retry) throw new Error('It is tried again.');
        expect(decision.delayMs).toBeGreaterThanOrEqual(0);
        expect(decision.delayMs).toBeLessThanOrEqual(highestMs);
      }
    }
    expect(
      decideRetry(failure('connect'), { ...fresh, tries: 30 }, { ...retries.network, attempts: 100 }, 1),
    ).toMatchObject({
      delayMs: capMs,
    });
  });

  it('gives up when the attempts of the policy are used up', () => {
    expect(
      decideRetry(failure('timeout'), { ...fresh, tries: retries.network.attempts - 1 }, retries.network),
    ).toEqual({ retry: false });
    expect(decideRetry(failure('timeout'), fresh, { ...retries.local, attempts: 1 })).toEqual({
      retry: false,
    });
  });

  it('waits as long as the remote host asks, up to the cap', () => {
    expect(decideRetry(failure('connect', 20_000), fresh, retries.network, 1)).toMatchObject({
      delayMs: 20_000,
    });
    expect(decideRetry(failure('connect', 86_400_000), fresh, retries.network, 1)).toMatchObject({
      delayMs: retries.network.capMs,
    });
    expect(decideRetry(failure('connect', -5), fresh, retries.network, 0)).toMatchObject({ delayMs: 0 });
  });

  it('does not count throttled attempts, and waits five seconds without a Retry-After', () => {
    expect(decideRetry(failure('throttled'), { ...fresh, tries: 99 }, retries.network, 0)).toEqual({
      retry: true,
      delayMs: 5_000,
      counts: undefined,
    });
    expect(decideRetry(failure('throttled', 30_000), fresh, retries.network, 0)).toEqual({
      retry: true,
      delayMs: 30_000,
      counts: undefined,
    });
  });

  it('retries once after memory or disk ran out, after at least a second', () => {
    expect(decideRetry(failure('memory'), { ...fresh, tries: 4 }, retries.network, 0)).toEqual({
      retry: true,
      delayMs: 1_000,
      counts: 'resourceTries',
    });
    expect(decideRetry(failure('no_space'), { ...fresh, resourceTries: 1 }, retries.network, 0)).toEqual({
      retry: false,
    });
  });
});

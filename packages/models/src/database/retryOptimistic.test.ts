import { describe, expect, it } from 'vitest';
import { Overtaken, retryOptimistic } from './retryOptimistic.ts';

/** An attempt that throws the given errors in order, and then returns how often it ran. */
function failing(...errors: Error[]) {
  let runs = 0;
  return async () => {
    const error = errors[runs];
    runs += 1;
    if (error) throw error;
    return runs;
  };
}

describe('retryOptimistic', () => {
  it('retries an overtaken attempt', async () => {
    await expect(
      retryOptimistic({ attempts: 3, attempt: failing(new Overtaken(), new Overtaken()) }),
    ).resolves.toBe(3);
  });

  it('throws any other error immediately', async () => {
    const attempt = failing(new Error('unreachable'));
    await expect(retryOptimistic({ attempts: 3, attempt })).rejects.toThrow('unreachable');
    await expect(attempt()).resolves.toBe(2);
  });

  it('throws the refusal after the last attempt', async () => {
    const attempt = failing(new Overtaken(), new Overtaken());
    await expect(
      retryOptimistic({ attempts: 2, attempt, refusal: () => new Error('give up') }),
    ).rejects.toThrow('give up');
    await expect(attempt()).resolves.toBe(3);
  });

  it('throws the error of the last attempt without a refusal', async () => {
    await expect(retryOptimistic({ attempts: 1, attempt: failing(new Overtaken('last')) })).rejects.toThrow(
      'last',
    );
  });

  it('recognizes the error of a lost race by the given function', async () => {
    const isOvertaken = (error: unknown) => error instanceof RangeError;
    await expect(
      retryOptimistic({ attempts: 2, attempt: failing(new RangeError()), isOvertaken }),
    ).resolves.toBe(2);
    await expect(
      retryOptimistic({ attempts: 2, attempt: failing(new Overtaken('not this one')), isOvertaken }),
    ).rejects.toThrow('not this one');
  });
});

import { describe, expect, it } from 'vitest';
import { simulateQueue, type QueueLoad } from './simulateQueue.ts';

const load = (changes: Partial<QueueLoad>): QueueLoad => ({
  slots: 1,
  slotsForOthers: 0,
  jobsPerSecond: 0.5,
  kinds: [{ share: 1, seconds: 1 }],
  organizations: 1,
  variation: 0,
  ...changes,
});

describe('the simulation of a queue', () => {
  // Pollaczek and Khinchine: whatever decides the order, as long as it does not know how long jobs take.
  it.each([
    { jobsPerSecond: 0.3, variation: 0, organizations: 1 },
    { jobsPerSecond: 0.5, variation: 1, organizations: 1 },
    { jobsPerSecond: 0.8, variation: 0, organizations: 40 },
    { jobsPerSecond: 0.8, variation: 1, organizations: 40 },
  ])('has the theoretical mean wait with one slot: %o', (changes) => {
    const { jobsPerSecond, variation } = changes;
    const expected = (jobsPerSecond * (1 + variation ** 2)) / (2 * (1 - jobsPerSecond));
    const { mean } = simulateQueue(load(changes), { jobs: 400_000, seed: 1 });
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.06);
  });

  it('has the theoretical mean wait for job kinds of different durations', () => {
    const kinds = [
      { share: 0.9, seconds: 0.5 },
      { share: 0.1, seconds: 4 },
    ];
    const [first, second] = [0.9 * 0.5 + 0.1 * 4, 0.9 * 0.5 ** 2 + 0.1 * 4 ** 2];
    const jobsPerSecond = 0.6 / first;
    const { mean } = simulateQueue(load({ kinds, jobsPerSecond }), { jobs: 400_000, seed: 1 });
    expect(Math.abs(mean / ((jobsPerSecond * second) / (2 * 0.4)) - 1)).toBeLessThan(0.06);
  });

  it('has the mean wait of the Erlang C formula with eight slots, for times that vary as exponential ones', () => {
    // M/M/c: C(c, a) / (c / s - arrivals).
    const [slots, offered] = [8, 6.4];
    const terms = Array.from({ length: slots }, (_, n) => offered ** n / factorial(n));
    const last = (offered ** slots / factorial(slots)) * (slots / (slots - offered));
    const expected = last / (terms.reduce((sum, term) => sum + term, 0) + last) / (slots - offered);
    const { mean } = simulateQueue(load({ slots, jobsPerSecond: offered, variation: 1 }), {
      jobs: 400_000,
      seed: 2,
    });
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.1);
  });

  it('gives the same result for the same seed', () => {
    const once = simulateQueue(load({}), { jobs: 1_000, seed: 4 });
    expect(simulateQueue(load({}), { jobs: 1_000, seed: 4 })).toEqual(once);
  });
});

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

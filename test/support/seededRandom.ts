import { randomNumbers } from '../../apps/cli/src/capacity/randomNumbers.ts';

/**
 * The seed of tests with random values: the same in each run, so that no run fails by chance.
 * `BINDERY_SEED=$RANDOM npm test` tries other values.
 */
export const suiteSeed = Number(process.env.BINDERY_SEED ?? 20_261_122);

export type SeededRandom = {
  /** An integer below `limit`. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
  chance(probability: number): boolean;
};

/** Random choices that a seed reproduces, so that a failing case can be repeated. */
export function seededRandom(seed: number): SeededRandom {
  const next = randomNumbers(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    chance: (probability) => next() < probability,
  };
}

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

/** Random choices that a seed reproduces (mulberry32), so that a failing case can be repeated. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    chance: (probability) => next() < probability,
  };
}

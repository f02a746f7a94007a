const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays after each failed attempt: ten attempts, over a little more than three days. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The largest random extension, so that deliveries that failed together are not retried together. */
const jitter = 0.2;

/**
 * Computes the delay after the n-th failed attempt.
 *
 * @param askedMs  the time that the server asked to wait
 * @param random  0 to 1
 * @returns undefined when no attempt is left
 */
export function retryDelayMs(
  attempts: number,
  {
    delaysMs = retryDelaysMs,
    askedMs = 0,
    random = Math.random(),
  }: { delaysMs?: readonly number[]; askedMs?: number; random?: number } = {},
): number | undefined {
  const delayMs = delaysMs[attempts - 1];
  return delayMs === undefined ? undefined : Math.round(Math.max(delayMs, askedMs) * (1 + jitter * random));
}

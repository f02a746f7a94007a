import { relative } from 'node:path';
import { isIn } from './timedFiles.ts';

/** Files that kill, freeze and overload processes, which take the longest by far. */
const slowest = ['test/faults', 'test/hostile'];
/** As late as this, no other file begins either. */
const lastMinutes = 20;

/**
 * Whether a file would begin too late to end within the time limit of `.ci/run`, as on a slow machine. From
 * `BINDERY_TEST_LATE_AT` on, in seconds since 1970, the slowest files do not run; without it, no file is
 * late.
 */
export function isLate(file: string): boolean {
  const lateMinutes = (Date.now() / 1_000 - Number(process.env.BINDERY_TEST_LATE_AT ?? Infinity)) / 60;
  if (lateMinutes < (isIn(slowest, file) ? 0 : lastMinutes)) return false;
  console.error(`NOT RUN: ${relative(process.cwd(), file)}. This machine is too slow for the whole suite.`);
  return true;
}

import { relative } from 'node:path';
import { isIn } from './timedFiles.ts';

/** Files that kill, freeze and overload processes, which take the longest by far. */
const folders = ['test/faults', 'test/hostile'];

/**
 * Whether a file would begin too late to end within the time limit of `.ci/run` on a machine that is slower
 * than usual. `BINDERY_TEST_LATE_AT` is the moment, in seconds since 1970; without it, no file is late.
 */
export function isLate(file: string): boolean {
  const late = Number(process.env.BINDERY_TEST_LATE_AT ?? Infinity);
  if (Date.now() / 1_000 < late || !isIn(folders, file)) return false;
  console.error(`NOT RUN: ${relative(process.cwd(), file)}. This machine is too slow for the whole suite.`);
  return true;
}

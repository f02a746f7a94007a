import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { canary, type FaultLab } from '../processes/faultLab.ts';
import { peakBytesOf } from '../processes/procfs.ts';
import { checkInvariants } from '../stores/invariants.ts';
import { checkCounters } from './counters.ts';
import type { Client } from './client.ts';

const mebibyte = 1_048_576;
/** The most memory that an API process, and a worker without its child processes, may have taken. */
const mostBytes = { api: 400 * mebibyte, worker: 1_024 * mebibyte };

export type CheckedRun = {
  /** Jobs whose acceptance was answered. */
  accepted: readonly string[];
  /** Ids of spaces that users edit too: not all of their revisions are of jobs, or in the history. */
  edited?: readonly string[];
  /** Other acknowledged writes: what was written, and whether a read through the API finds it. */
  acknowledged?: readonly { what: string; isReadable: () => Promise<boolean> }[];
  /** The client that sent the requests. */
  client?: Client;
  /** Servers of the test that nothing may have asked, with the number of requests. */
  forbidden?: readonly { what: string; requests: number }[];
};

/**
 * Checks everything that must hold after a run with faults, once all jobs have ended and all stores answer:
 *
 * - I1 every acknowledged write is readable
 * - I2 each job has ended, with exactly one effect if it succeeded
 * - I3 the parents of revisions exist, no revision is its own ancestor, the space shows the newest one
 * - I4 counters are what a recount gives
 * - I5 the password of the git server is in no log, no answer, no temporary file, and neither in Redis nor in
 *   MongoDB, where it is sealed
 * - I6 no process has outlived its parent, and only killed processes left temporary folders
 * - I7 no server that is forbidden was asked
 * - I8 no answer 5xx but 503 with `Retry-After`
 * - I9 no process exceeded its limit of memory
 */
export async function checkRun(
  lab: FaultLab,
  { accepted, edited = [], acknowledged = [], client, forbidden = [] }: CheckedRun,
): Promise<void> {
  await checkInvariants(lab, accepted, edited);
  const lost: string[] = [];
  for (const { what, isReadable } of acknowledged) if (!(await isReadable())) lost.push(what);
  expect(lost, 'I1: acknowledged writes that cannot be read').toEqual([]);
  await checkCounters();
  expect(await filesWithCanary(lab.workFolder), 'I5: temporary files').toEqual([]);
  expect(
    forbidden.filter(({ requests }) => requests > 0),
    'I7: forbidden servers that were asked',
  ).toEqual([]);
  if (client) {
    expect(client.leaks, 'I5: answers').toEqual([]);
    expect(client.failures, 'I8: answers').toEqual([]);
  }
  // The kernel keeps the peak only while a process lives.
  const tooLarge = lab.apps
    .filter((app) => !app.hasEnded())
    .map(({ name, pid }) => ({ name, pid, bytes: peakBytesOf(pid) }))
    .filter(({ name, bytes }) => bytes > mostBytes[name === 'api' ? 'api' : 'worker']);
  expect(tooLarge, 'I9: processes with too much memory').toEqual([]);
}

async function filesWithCanary(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // A run that goes on, such as a review, may remove its files meanwhile.
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(canary)) found.push(path);
  }
  return found;
}

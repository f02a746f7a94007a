import { setTimeout as delay } from 'node:timers/promises';
import { runsAnything } from '../processes.ts';
import type { OwnUser } from './isolation.ts';
import { killUser } from './killUser.ts';
import { killGroup, type ListedGroup } from './listedGroup.ts';

const patienceMs = 5_000;

/**
 * Kills the process groups of a child, and all processes of its user, and waits until none of them runs.
 *
 * @param isolation  if the child has a user of its own
 * @returns false when the kernel has not ended them after some seconds, or when they could not be killed
 */
export async function endGroups(
  groups: readonly ListedGroup[],
  isolation: OwnUser | undefined,
): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  const uid = isolation && groups.find((group) => group.uid !== undefined)?.uid;
  // Always: a process that keeps forking and exiting can escape every list of processes.
  let isUserKilled = uid === undefined;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 100)) {
    for (const group of groups) killGroup(group);
    isUserKilled ||= await killUser(uid!, isolation!);
    if (isUserKilled && !runsAny(groups, uid)) return true;
    if (performance.now() > untilMs) return false;
    await delay(waitMs);
  }
}

function runsAny(groups: readonly ListedGroup[], uid: number | undefined): boolean {
  const left = groups.filter(({ pid }) => isThere(-pid));
  if (left.length === 0 && uid === undefined) return false;
  return runsAnything({ groups: new Set(left.map(({ pid }) => pid)), uid }) ?? left.length > 0;
}

function isThere(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

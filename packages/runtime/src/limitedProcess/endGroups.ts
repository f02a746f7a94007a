import { setTimeout as delay } from 'node:timers/promises';
import { runsAnything } from '../processes.ts';
import type { OwnUser } from './isolation.ts';
import { killUser } from './killUser.ts';
import { killGroup, type ListedGroup } from './listedGroup.ts';

const patienceMs = 5_000;

/**
 * Kills the groups of one child, and all that runs as its user, and waits until nothing of them runs.
 *
 * @param isolation  where the child has a user of its own
 * @returns whether that is so; false when the kernel has not ended them after some seconds, or nobody could kill them
 */
export async function endGroups(groups: readonly ListedGroup[], isolation: OwnUser | undefined): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  const uid = isolation && groups.find((group) => group.uid !== undefined)?.uid;
  // Always: what starts another process and ends, over and over, is in no list of processes when that is read.
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

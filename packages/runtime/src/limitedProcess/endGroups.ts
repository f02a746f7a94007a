import { setTimeout as delay } from 'node:timers/promises';
import { runsAnything } from '../processes.ts';
import { killGroup, type ListedGroup } from './listedGroup.ts';

const patienceMs = 5_000;

/**
 * Kills groups and waits until nothing of them runs.
 *
 * @returns whether that is so; false when the kernel has not ended them after some seconds
 */
export async function endGroups(groups: readonly ListedGroup[], setpriv: string | undefined): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  for (const group of groups) killGroup(group);
  for (let waitMs = 1; runsAny(groups); waitMs = Math.min(waitMs * 2, 100)) {
    if (performance.now() > untilMs) return false;
    await delay(waitMs);
    for (const group of groups) killGroup(group, setpriv);
  }
  return true;
}

function runsAny(groups: readonly ListedGroup[]): boolean {
  // Most have ended by now; whoever left the group of a process is found by its user only.
  const left = groups.filter(({ pid }) => isThere(-pid));
  const uid = groups.find((group) => group.uid !== undefined)?.uid;
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

import { identityOf, statOf } from '../processes.ts';

/** A process group that must end with this process. `uid` is a user without any other processes. */
export type ListedGroup = { pid: number; startedAt?: string; uid?: number | undefined };

export function listedGroup(pid: number, uid?: number): ListedGroup {
  return { ...identityOf(pid), uid };
}

/** Formats an entry for `reaper.sh` and the record files (groupRecord.ts). */
export function toEntry({ pid, startedAt = '', uid }: ListedGroup): string {
  return `${pid}:${startedAt}:${uid ?? ''}`;
}

/** @returns undefined for an incomplete or malformed line */
export function parseEntry(line: string): ListedGroup | undefined {
  const [, pid, startedAt, uid] = /^(\d+):(\d*):(\d*)$/.exec(line) ?? [];
  if (pid === undefined || Number(pid) < 2) return undefined;
  return { pid: Number(pid), startedAt: startedAt || undefined, uid: uid ? Number(uid) : undefined };
}

/** Kills a group, unless its number has been reused. */
export function killGroup({ pid, startedAt }: ListedGroup): void {
  const found = startedAt === undefined ? undefined : statOf(pid);
  try {
    if (!found || found.startedAt === startedAt) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

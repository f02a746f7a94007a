import { identityOf, statOf } from '../processes.ts';

/** A process group that has to end with this process. `uid` is a user that nothing else runs as. */
export type ListedGroup = { pid: number; startedAt?: string; uid?: number | undefined };

export function listedGroup(pid: number, uid?: number): ListedGroup {
  return { ...identityOf(pid), ...(uid !== undefined && { uid }) };
}

/** The form that `reaper.sh` and the files of `GroupRecord` have. */
export function toEntry({ pid, startedAt = '', uid }: ListedGroup): string {
  return `${pid}:${startedAt}:${uid ?? ''}`;
}

/** @returns undefined for a line that was not written to its end, or is none */
export function parseEntry(line: string): ListedGroup | undefined {
  const [, pid, startedAt, uid] = /^(\d+):(\d*):(\d*)$/.exec(line) ?? [];
  if (pid === undefined || Number(pid) < 2) return undefined;
  return { pid: Number(pid), ...(startedAt && { startedAt }), ...(uid && { uid: Number(uid) }) };
}

/** Kills all that is in the group, unless its number belongs to something else by now. */
export function killGroup({ pid, startedAt }: ListedGroup): void {
  const found = startedAt === undefined ? undefined : statOf(pid);
  try {
    if (!found || found.startedAt === startedAt) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { statOf } from '@bindery/runtime';

const mb = 1024;

/**
 * Measures the memory of a process group, in megabytes.
 *
 * Pages of a process's own are added up. Pages of files and shared memory are mostly the same in all
 * processes of a browser, so the largest share counts once. The kernel's proportional figure (PSS) of another
 * user's or a sandboxed process is readable only with the right to trace it; this one always is.
 *
 * @param leader  the process whose number the group has, which started all others of it
 * @returns undefined without /proc
 */
export function treeMemoryMb(leader: number): number | undefined {
  const pids = descendantsOf(leader) ?? membersOf(leader);
  if (!pids) return undefined;
  let ownKb = 0;
  let sharedKb = 0;
  for (const pid of pids) {
    const found = memoryOf(pid);
    if (!found) continue;
    ownKb += found.ownKb;
    sharedKb = Math.max(sharedKb, found.sharedKb);
  }
  return (ownKb + sharedKb) / mb;
}

/**
 * Lists a process and all that it and its descendants started.
 *
 * @returns undefined where the kernel does not list children (`CONFIG_PROC_CHILDREN`)
 */
export function descendantsOf(pid: number): string[] | undefined {
  if (readText(`/proc/${pid}/task/${pid}/children`) === undefined) return undefined;
  const found = [String(pid)];
  for (const each of found) found.push(...childrenOf(each));
  return found;
}

/** Children belong to the thread that started them. */
function childrenOf(pid: string): string[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has just ended.
    return [];
  }
  return threads.flatMap((thread) =>
    (readText(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean),
  );
}

/** @returns undefined for a file of a process or thread that has just ended */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** Finds the processes of a group among all of the machine. */
export function membersOf(group: number): string[] | undefined {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return all.length === 0 ? undefined : all.filter((pid) => statOf(Number(pid))?.group === group);
  } catch {
    return undefined;
  }
}

/** @returns undefined for a process that has just ended */
function memoryOf(pid: string): { ownKb: number; sharedKb: number } | undefined {
  const status = readText(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { ownKb: kb('RssAnon'), sharedKb: kb('RssFile') + kb('RssShmem') };
}

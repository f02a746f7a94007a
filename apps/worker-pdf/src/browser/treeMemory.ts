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
 * @returns undefined without /proc
 */
export function treeMemoryMb(group: number): number | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  let ownKb = 0;
  let sharedKb = 0;
  for (const name of names) {
    const found = memoryOf(name, group);
    if (!found) continue;
    ownKb += found.ownKb;
    sharedKb = Math.max(sharedKb, found.sharedKb);
  }
  return names.length === 0 ? undefined : (ownKb + sharedKb) / mb;
}

/** @returns undefined for a process of another group, and for one that has just ended */
function memoryOf(pid: string, group: number): { ownKb: number; sharedKb: number } | undefined {
  if (statOf(Number(pid))?.group !== group) return undefined;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { ownKb: kb('RssAnon'), sharedKb: kb('RssFile') + kb('RssShmem') };
  } catch {
    return undefined;
  }
}

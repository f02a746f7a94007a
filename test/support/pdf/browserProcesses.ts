import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { commandOf, numbersOf, processIds } from '../processes/procfs.ts';

/** The processes of all browsers that a process of this number started; zombies excluded. */
export function browserProcesses(worker: number): number[] {
  // A process that has ended meanwhile has no group: it must not stand for others of which that is true.
  const all = processIds().flatMap((pid) => {
    const group = numbersOf(pid)?.group;
    return group === undefined ? [] : [{ pid, command: commandOf(pid), group }];
  });
  // `rm` names the folder too, but is in the group of the worker.
  const ours = all.filter(
    ({ command }) => command.includes('--user-data-dir=') && command.includes(`/bindery-pdf-${worker}-`),
  );
  const groups = new Set(ours.map(({ group }) => group));
  return all.filter(({ command, group }) => command !== '' && groups.has(group)).map(({ pid }) => pid);
}

/** Of these, the ones that read what a page holds. */
export function renderersOf(worker: number): number[] {
  return browserProcesses(worker).filter((pid) => commandOf(pid).includes('--type=renderer'));
}

/** The profile folders of browsers that a process of this number started. */
export function profilesOf(worker: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`bindery-pdf-${worker}-`));
}

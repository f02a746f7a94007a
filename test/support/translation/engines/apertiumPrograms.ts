import { readdirSync, readFileSync } from 'node:fs';

type Program = { pid: number; group: number };

/** Lists the programs of Apertium that this process has started, in the order of their pipeline. */
export function apertiumPrograms(): Program[] {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, command = '', parent, group] =
          /\((.*)\) \S (\d+) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return [{ pid: Number(name), command, parent: Number(parent), group: Number(group) }];
      } catch {
        return [];
      }
    });
  const below = (pid: number): typeof stats =>
    stats.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(process.pid)
    .filter(({ command }) => /^(lt-proc|lrx-proc|apertium)/.test(command))
    .map(({ pid, group }) => ({ pid, group }))
    .toSorted((one, other) => one.pid - other.pid);
}

import { allChildrenOf } from '../../processes/appProcess.ts';
import { nameOf, numbersOf } from '../../processes/procfs.ts';

type Program = { pid: number; group: number };

/** Lists the programs of Apertium that this process has started, in the order of their pipeline. */
export function apertiumPrograms(): Program[] {
  return idsBelow(process.pid)
    .filter((pid) => /^(lt-proc|lrx-proc|apertium)/.test(nameOf(pid)))
    .map((pid) => ({ pid, group: numbersOf(pid)?.group ?? 0 }))
    .toSorted((one, other) => one.pid - other.pid);
}

function idsBelow(parent: number): number[] {
  return allChildrenOf(parent).flatMap(({ pid }) => [pid, ...idsBelow(pid)]);
}

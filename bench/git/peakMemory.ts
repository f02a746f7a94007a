import { readdirSync, readFileSync } from 'node:fs';

/**
 * Watches the processes below this one and keeps the largest resident size that any of them had, in bytes
 * (Linux). `VmHWM` is kept by the kernel, so a peak between two looks is not missed.
 */
export function watchPeakMemory(): { stop(): number } {
  let peak = 0;
  const look = () => {
    for (const pid of childrenOf(process.pid)) {
      const kilobytes = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1];
      if (kilobytes) peak = Math.max(peak, Number(kilobytes) * 1024);
    }
  };
  const timer = setInterval(look, 10);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return peak;
    },
  };
}

/**
 * Processes that this one started, with their own; only those that run Node, so that the stores and git do
 * not count.
 */
function childrenOf(parent: number): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const ppid = /^\d+ \(.*\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1];
    if (Number(ppid) === parent && read(`/proc/${name}/cmdline`).includes('repositoryChild'))
      found.push(Number(name));
  }
  return found;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

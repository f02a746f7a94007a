import { readdirSync, readFileSync } from 'node:fs';

/**
 * Watches the child processes and records the largest resident size of any of them, in bytes (Linux). The
 * kernel maintains `VmHWM`, so peaks between two samples are not missed.
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

/** All descendant processes that run Node; the stores and git do not count. */
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

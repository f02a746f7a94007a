import { Worker } from 'node:worker_threads';
import { bound } from '../support/machine.ts';

/** A request that is made all the time, and how long its answer may take on an idle machine. */
export type Probe = { name: string; url: string; headers: Record<string, string>; limitMs: number };
export type Probed = { name: string; status: number; ms: number };

/** The longest answer to each probe in a part of the test, with the bound for the machine as it was then. */
export type Longest = { part: string; ms: number; boundMs: number; asked: number };

export type Prober = {
  /** Begins a part of the test: what is too slow is told with it. */
  part(name: string): void;
  /** By the name of the probe, the longest answer of each part. */
  longest: Map<string, Longest[]>;
  failed: Probed[];
  stop(): Promise<void>;
};

export function startProber(probes: Probe[]): Prober {
  const thread = new Worker(new URL('./proberThread.ts', import.meta.url), {
    execArgv: [],
    workerData: probes,
  });
  const limits = new Map(probes.map((probe) => [probe.name, probe.limitMs]));
  let part = 'start';
  const prober: Prober = {
    part: (name) => (part = name),
    longest: new Map(probes.map(({ name }) => [name, []])),
    failed: [],
    stop: async () => void (await thread.terminate()),
  };
  thread.on('message', (probed: Probed) => {
    const { name, status, ms } = probed;
    if (status !== 200) prober.failed.push(probed);
    const parts = prober.longest.get(name) ?? [];
    let longest = parts.at(-1);
    if (longest?.part !== part) parts.push((longest = { part, ms: 0, boundMs: 0, asked: 0 }));
    longest.asked += 1;
    const boundMs = bound(limits.get(name) ?? 0);
    // How much longer than it may: the machine can be slower at another time.
    if (ms / boundMs >= longest.ms / (longest.boundMs || 1)) Object.assign(longest, { ms, boundMs });
  });
  return prober;
}

import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/**
 * The duration of one sample's work on an idle core of the machine on which the bounds were chosen, in
 * milliseconds.
 */
const usualMs = 4;
const everyMs = 250;
/** The number of samples used, those of the last ten seconds: the work to be bounded has just ended. */
const kept = 40;

const cores = availableParallelism();
const samples: number[] = [];
// The first sample compiles the loop.
takeSample();
// The load of the last minute counts as two seconds: a single sample during the start of this process, with
// all its threads, is not representative.
samples.splice(0, samples.length, ...Array<number>(8).fill(Math.max(1, loadavg()[0]! / cores)));
const sampling = setInterval(takeSample, everyMs);
sampling.unref();

/**
 * Returns a bound for a time measured in a test: the expectation for an idle machine, extended when this
 * machine has lately been slow or busy. Processes that take turns wait for a core each time, so the bound
 * grows faster than the time for one piece of work.
 */
export function bound(ms: number): number {
  takeSample();
  return ms * slowness() ** 1.5;
}

/**
 * How much slower than usual this machine has lately been; at least 1. With more processes than cores, short
 * work rarely waits for a core but long work always does, so the number of processes per core counts too.
 */
export function slowness(): number {
  return Math.max(1, samples.reduce((sum, sample) => sum + sample, 0) / samples.length);
}

function takeSample(): void {
  const startMs = performance.now();
  let sum = 0;
  for (let i = 0; i < 800_000; i += 1) sum = (Math.imul(sum, 31) + i) | 0;
  samples.push(Math.max((performance.now() - startMs) / usualMs, runnable() / cores));
  // The comparison keeps the loop from being optimized away.
  if (samples.length > kept || sum === Number.MAX_SAFE_INTEGER) samples.shift();
}

/** The number of processes and threads that run or wait for a core now; 0 without /proc. */
function runnable(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

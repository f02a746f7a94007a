import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** How long the work of one sample takes on an idle core of the machine on which the bounds of the tests were chosen, in milliseconds. */
const usualMs = 4;
const everyMs = 250;
/** Samples that count: those of the last ten seconds, since what a bound is for has just ended. */
const kept = 40;

const cores = availableParallelism();
const samples: number[] = [];
// The first one compiles the loop.
takeSample();
// The minute before counts as two seconds: one look while this process starts, with all its threads, is no measure for a lease.
samples.splice(0, samples.length, ...Array<number>(8).fill(Math.max(1, loadavg()[0]! / cores)));
const sampling = setInterval(takeSample, everyMs);
sampling.unref();

/**
 * A bound for a time that was measured in a test: what is expected of an idle machine, and longer the slower this machine has been lately, be it
 * slow or busy. Several processes that take turns wait for a core each time, so the bound grows faster than the time for one piece of work.
 */
export function bound(ms: number): number {
  takeSample();
  return ms * slowness() ** 1.5;
}

/**
 * How many times longer than usual this machine has taken for a piece of work lately; at least 1. A short piece rarely has to wait for a core where
 * several processes want one, a long one always does: so what counts too is how many of them there are for each core.
 */
export function slowness(): number {
  return Math.max(1, samples.reduce((sum, sample) => sum + sample, 0) / samples.length);
}

function takeSample(): void {
  const startMs = performance.now();
  let sum = 0;
  for (let i = 0; i < 800_000; i += 1) sum = (Math.imul(sum, 31) + i) | 0;
  samples.push(Math.max((performance.now() - startMs) / usualMs, runnable() / cores));
  // The comparison keeps the loop from being left out.
  if (samples.length > kept || sum === Number.MAX_SAFE_INTEGER) samples.shift();
}

/** Processes and threads that run or wait for a core now; 0 where there is no /proc. */
function runnable(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

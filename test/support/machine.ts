import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** The milliseconds that the loop takes on an idle core of the machine on which the bounds were chosen. */
const usualMs = 4;
const everyMs = 250;
/** Rarer than the samples: every test process runs the loop, for the whole run. */
const loopEveryMs = 1_000;
/** The number of samples used, those of the last ten seconds: the work to be bounded has just ended. */
const kept = 40;

const cores = availableParallelism();
const samples: number[] = [];
/** How much slower than usual the last loop was, and when it ended. */
let lastLoop = { slowness: 1, atMs: -Infinity };
// The first loop is compiled while it runs.
runLoop();
// The load of the last minute counts as two seconds: a single sample during the start of this process, with
// all its threads, is not representative.
samples.push(...Array<number>(8).fill(Math.max(1, loadavg()[0]! / cores)));
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
  if (performance.now() - lastLoop.atMs >= loopEveryMs) lastLoop = runLoop();
  samples.push(Math.max(lastLoop.slowness, runnable() / cores));
  if (samples.length > kept) samples.shift();
}

function runLoop(): typeof lastLoop {
  const startMs = performance.now();
  let sum = 0;
  for (let i = 0; i < 800_000; i += 1) sum = (Math.imul(sum, 31) + i) | 0;
  const atMs = performance.now();
  // The use of the sum keeps the loop from being optimized away.
  return { slowness: (atMs - startMs) / usualMs + (sum === Number.MAX_SAFE_INTEGER ? 1 : 0), atMs };
}

/** The number of processes and threads that run or wait for a core now; 0 without /proc. */
function runnable(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

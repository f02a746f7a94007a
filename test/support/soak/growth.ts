import { jobCollection, mongoDatabase } from '@bindery/models';
import type { Redis } from '@bindery/runtime';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppProcess } from '../processes/appProcess.ts';
import { residentBytesOf } from '../processes/procfs.ts';

const mebibyte = 1_048_576;
const everyMs = 2_000;

/** Memory of the processes, and contents of the stores, at one moment since the start. */
export type Sample = {
  atMs: number;
  /** By `app pid`: resident memory, and the heap after the last collection (collectedHeap.ts). */
  memory: Record<string, { resident: number; heap: number }>;
  endedJobs: number;
  mongoBytes: number;
  redisBytes: number;
};

/**
 * Samples the memory of processes and the content of the stores until aborted. A store that does not answer
 * gives no sample.
 */
export async function sampleGrowth(
  apps: readonly AppProcess[],
  { redis, signal }: { redis: Redis; signal: AbortSignal },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedMs = performance.now();
  while (!signal.aborted) {
    const memory = Object.fromEntries(
      apps.map((app) => [
        `${app.name} ${app.pid}`,
        { resident: residentBytesOf(app.pid), heap: heapOf(app) },
      ]),
    );
    try {
      const { dataSize, indexSize } = await mongoDatabase().stats();
      const endedJobs = await jobCollection().countDocuments({ finishedAt: { $exists: true } });
      const redisBytes = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
      const atMs = performance.now() - startedMs;
      samples.push({
        atMs,
        memory,
        endedJobs,
        redisBytes,
        mongoBytes: Number(dataSize) + Number(indexSize),
      });
    } catch {
      // The next sample follows.
    }
    await delay(everyMs, undefined, { signal }).catch(() => {});
  }
  return samples;
}

/** The bytes of the last line that the process printed about its heap. */
function heapOf({ lines }: AppProcess): number {
  const line = lines.findLast((one) => one.startsWith('collected heap: '));
  return Number(line?.slice('collected heap: '.length));
}

/**
 * The growth after a time of warming up, by process: memory in MiB, slopes in MiB a minute. `heapSlope` is
 * that of what is in use; the resident memory also has garbage, which Node collects when it sees fit.
 */
export type Growth = {
  memory: { process: string; mebibytes: number; slope: number; heapSlope: number }[];
  /** In KiB, in the first and in the second half. */
  mongoPerJob: [number, number];
  /** In the beginning and at the end. */
  redisMebibytes: [number, number];
};

export function growthOf(samples: readonly Sample[], warmUpMs: number): Growth {
  const warm = samples.filter(({ atMs }) => atMs >= warmUpMs);
  const [first, last] = [warm[0], warm.at(-1)];
  const middle = warm[Math.floor(warm.length / 2)];
  if (!first || !middle || !last) throw new Error('There are too few samples.');
  const perJob = (from: Sample, to: Sample) =>
    (to.mongoBytes - from.mongoBytes) / 1_024 / Math.max(1, to.endedJobs - from.endedJobs);
  const slopeIn = (process: string, field: 'resident' | 'heap') =>
    slopeOf(warm.map(({ atMs, memory }) => [atMs / 60_000, memory[process]![field] / mebibyte]));
  return {
    memory: Object.entries(last.memory).map(([process, { resident }]) => ({
      process,
      mebibytes: resident / mebibyte,
      slope: slopeIn(process, 'resident'),
      heapSlope: slopeIn(process, 'heap'),
    })),
    mongoPerJob: [perJob(first, middle), perJob(middle, last)],
    redisMebibytes: [first.redisBytes / mebibyte, last.redisBytes / mebibyte],
  };
}

/** The slope of the line with the least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

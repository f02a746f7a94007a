import { isUnexpired, Organization, WorkerEntry } from '@bindery/models';
import { jobClient } from './client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { limitsOf } from './kindLimits.ts';

/** How long a process caches the answers below. */
const ageMs = 5_000;

const slotsKnown = new Map<QueueName, { slots: number; untilMs: number }>();
let sharing: { isShared: boolean; untilMs: number } | undefined;

/** Returns how many jobs of a queue all live workers can run at once. */
export async function slotsOf(queue: QueueName): Promise<number> {
  const known = slotsKnown.get(queue);
  if (known && performance.now() < known.untilMs) return known.slots;
  const workers = await WorkerEntry.find({ queues: queue, ...isUnexpired }, { concurrency: 1 }).lean();
  const slots = workers.reduce((total, worker) => total + worker.concurrency, 0);
  slotsKnown.set(queue, { slots, untilMs: performance.now() + ageMs });
  return slots;
}

/** Whether there are several organizations; a single one may use all slots. */
async function isShared(): Promise<boolean> {
  if (sharing && performance.now() < sharing.untilMs) return sharing.isShared;
  sharing = {
    isShared: (await Organization.estimatedDocumentCount()) > 1,
    untilMs: performance.now() + ageMs,
  };
  return sharing.isShared;
}

/**
 * A pool of an organization's seats, shared by all jobs of a queue or by the jobs of the kind that it names,
 * whose limit an operator may change at any time.
 */
export type Pool = { name: string; size: number; kind?: string };

/** Returns the pools in which a job of this kind and organization takes one seat each (seats.ts). */
export async function poolsOf(queue: QueueName, kind: string, organization: string): Promise<Pool[]> {
  const { slotsForOthers } = jobClient().config.jobs;
  const { ofOrganization: size } = await limitsOf(kind, organization);
  const pools: Pool[] = size === undefined ? [] : [{ name: kind, size, kind }];
  if (slotsForOthers === 0 || !(await isShared())) return pools;
  return [{ name: `queue:${queue}`, size: Math.max(1, (await slotsOf(queue)) - slotsForOthers) }, ...pools];
}

/** Clears the cache when a worker of this process starts or stops. */
export function forgetSlots(): void {
  slotsKnown.clear();
  sharing = undefined;
}

import { isUnexpired, WorkerEntry } from '@bindery/models';
import type { QueueName } from './defineJob.ts';

/** How long a process uses an answer before it asks again. */
const ageMs = 5_000;

const slotsKnown = new Map<QueueName, { slots: number; untilMs: number }>();

/** How many jobs of a queue all live workers can run at once. */
export async function slotsOf(queue: QueueName): Promise<number> {
  const known = slotsKnown.get(queue);
  if (known && performance.now() < known.untilMs) return known.slots;
  const workers = await WorkerEntry.find({ queues: queue, ...isUnexpired }, { concurrency: 1 }).lean();
  const slots = workers.reduce((total, worker) => total + worker.concurrency, 0);
  slotsKnown.set(queue, { slots, untilMs: performance.now() + ageMs });
  return slots;
}

/** A worker of this process came or went. */
export function forgetSlots(): void {
  slotsKnown.clear();
}

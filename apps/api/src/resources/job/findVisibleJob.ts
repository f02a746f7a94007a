import { shownJobFields, type ShownJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { permissionsOnSubjects } from './permissionsOnSubjects.ts';

type Found = { job: ShownJob; granted: Record<string, boolean> };
type Asked = { actor: Actor; id: string; answer: PromiseWithResolvers<Found | undefined> };

let asked: Asked[] = [];

/**
 * Finds a job with the caller's permissions on it; undefined when it does not exist or the caller cannot view
 * it.
 *
 * Concurrent calls share their queries: when an API process is replaced, thousands of listeners reconnect at
 * once.
 */
export function findVisibleJob(actor: Actor, id: string): Promise<Found | undefined> {
  if (asked.length === 0) setImmediate(() => void lookUp());
  const answer = Promise.withResolvers<Found | undefined>();
  asked.push({ actor, id, answer });
  return answer.promise;
}

async function lookUp(): Promise<void> {
  const batch = asked;
  asked = [];
  try {
    const ids = [...new Set(batch.map(({ id }) => id))];
    const found = (await jobCollection()
      .find({ _id: { $in: ids } }, { projection: shownJobFields, batchSize: ids.length + 1 })
      .toArray()) as ShownJob[];
    const jobs = new Map(found.map((job) => [job._id, job]));
    const callers = batch.flatMap(({ actor, id, answer }) => {
      const job = jobs.get(id);
      if (!job) answer.resolve(undefined);
      return job ? [{ actor, job, answer }] : [];
    });
    if (callers.length === 0) return;
    const permissions = await permissionsOnSubjects(callers);
    for (const [index, { job, answer }] of callers.entries()) {
      const granted = permissions[index];
      answer.resolve(granted && { job, granted });
    }
  } catch (error) {
    for (const { answer } of batch) answer.reject(error);
  }
}

import { JobError } from '@bindery/contract';
import type { Engine, LanguagePair } from '@bindery/engines';
import { hasPair } from '@bindery/engines/offers';
import { engineOffers } from '@bindery/jobs';

/** Until a job that is left to another worker can be taken again, also by this one. */
const retryAfterMs = 1_000;

/**
 * Leaves a job to another worker when only that one has an engine for the pair: the list of engines is a
 * setting of each worker.
 *
 * @throws JobError of the class `throttled`, which queues the job again and costs it no attempt
 */
export async function leaveToOther(engines: readonly Engine[], pair: LanguagePair): Promise<void> {
  if (engines.some((engine) => engine.route(pair))) return;
  const own = new Set(engines.map(({ name }) => name));
  const offers = (await engineOffers()) ?? [];
  const other = offers.find(({ name, pairs }) => !own.has(name) && hasPair(pairs, pair));
  if (other)
    throw new JobError('throttled', `The job waits for a worker that has the engine ${other.name}.`, {
      retryAfterMs,
    });
}

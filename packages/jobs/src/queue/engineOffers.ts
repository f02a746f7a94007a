import type { EngineOffer } from '@bindery/contract';
import { isUnexpired, WorkerEntry } from '@bindery/models';
import { translationJobs } from '../definitions/translation.ts';

/**
 * The engines that live workers translate with, each once, in the order of the newest worker that has it. An
 * engine that did not start is among them only when it did in no worker.
 *
 * @returns undefined when no worker runs, or one of an earlier version, which tells nothing
 */
export async function engineOffers(): Promise<EngineOffer[] | undefined> {
  const { queue, kind } = translationJobs.runTranslation;
  const workers = await WorkerEntry.find(
    { queues: queue, 'kinds.kind': kind, ...isUnexpired },
    { engines: 1 },
  )
    .sort({ startedAt: -1 })
    .lean<{ engines?: EngineOffer[] }[]>();
  if (workers.length === 0 || workers.some(({ engines }) => !engines)) return undefined;
  const offers = new Map<string, EngineOffer>();
  for (const offer of workers.flatMap(({ engines = [] }) => engines)) {
    const known = offers.get(offer.name);
    if (!known || (!known.abilities && offer.abilities)) offers.set(offer.name, offer);
  }
  return [...offers.values()];
}

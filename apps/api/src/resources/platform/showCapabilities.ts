import type { Capabilities, EngineOffer, TranslationEngine } from '@bindery/contract';
import { readGate, type GateState } from '@bindery/engines/offers';
import { engineOffers, runScript, workerStates } from '@bindery/jobs';

/** The engines of running workers, each with its state at this moment. */
export async function showCapabilities(): Promise<Capabilities> {
  const [states, offers = []] = await Promise.all([workerStates(), engineOffers()]);
  const engines = offers.map(async (offer) => showEngine(offer, await readGate(offer.name, runScript)));
  return {
    object: 'capabilities',
    translation: { worker: states['worker-translation'] ?? '', engines: await Promise.all(engines) },
  };
}

const reasons = {
  failed: 'It has failed repeatedly.',
  quota: 'Its quota is exhausted.',
  auth: 'It refuses its key.',
} as const;

function showEngine(offer: EngineOffer, { waitMs, cause, note }: GateState): TranslationEngine {
  if (offer.reason !== undefined) return { ...offer, state: 'unavailable' };
  const until = waitMs === undefined ? {} : { until: new Date(Date.now() + waitMs).toISOString() };
  if (cause === 'throttled') return { ...offer, state: 'throttled', ...until };
  if (cause === 'failed') return { ...offer, state: 'unavailable', ...until, reason: reasons.failed };
  if (note) return { ...offer, state: 'unavailable', reason: reasons[note] };
  return { ...offer, state: 'available' };
}

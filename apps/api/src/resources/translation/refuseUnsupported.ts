import { invalid } from '@bindery/contract';
import { enginesThatCould, hasPair } from '@bindery/engines/offers';
import { engineOffers } from '@bindery/jobs';

/**
 * Refuses a pair of languages that no engine of the running workers can translate. Without a worker, a job is
 * accepted and waits.
 *
 * @throws invalid_request that names the engines that could
 */
export async function refuseUnsupported(pair: { source: string; target: string }): Promise<void> {
  const offers = await engineOffers();
  if (!offers || offers.some(({ pairs }) => hasPair(pairs, pair))) return;
  const names = offers.filter(({ abilities }) => abilities).map(({ name }) => name);
  throw invalid(
    'body.language',
    `is not a language that the engines of this platform (${names.join(', ')}) translate from ${pair.source} into. Engines that could when an operator configures them: ${enginesThatCould(pair, names).join(', ')}.`,
  );
}

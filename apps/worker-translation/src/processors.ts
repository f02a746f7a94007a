import type { Engine } from '@bindery/engines';
import type { Config } from '@bindery/runtime';
import { createEstimateTranslation } from './run/estimateTranslation.ts';
import { createRunTranslation } from './run/runTranslation.ts';

/** The processors of the jobs of translations. */
export function translationProcessors(
  engines: readonly Engine[],
  { translation }: Pick<Config, 'translation'>,
) {
  return {
    runTranslation: createRunTranslation({ engines, charactersPerDay: translation.charactersPerDay }),
    estimateTranslation: createEstimateTranslation({ engines, prices: translation.prices }),
  };
}

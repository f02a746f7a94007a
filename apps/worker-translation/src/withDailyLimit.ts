import { JobError } from '@bindery/contract';
import type { Engine } from '@bindery/engines';
import { databaseNow, useTranslationCharacters } from '@bindery/models';

/**
 * Limits the characters that an organization has a service translate on a day (UTC). Engines on the machine
 * of the worker, and a limit of 0, have no limit.
 *
 * @param limit.perDay  characters, as the engine gets them
 */
export function withDailyLimit(
  engine: Engine,
  { organization, perDay }: { organization: string; perDay: number },
): Engine {
  if (!engine.isService || perDay === 0) return engine;
  return {
    ...engine,
    async translate(texts, request) {
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      const isWithin = await useTranslationCharacters(organization, {
        ...{ characters, limit: perDay, now: databaseNow() },
      });
      if (!isWithin)
        throw new JobError('quota', `The organization has used its ${perDay} characters of today.`, {
          action:
            'Run the translation again tomorrow (UTC), or ask the operator to raise BINDERY_TRANSLATION_CHARACTERS_PER_DAY.',
        });
      return engine.translate(texts, request);
    },
  };
}

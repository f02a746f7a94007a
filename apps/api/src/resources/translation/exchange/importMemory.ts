import { findTranslations, type TranslationToKeep } from '@bindery/models';
import type { Outcome } from './importFile.ts';
import { keepTexts, type Texts } from './keepTexts.ts';
import type { TranslatedUnit } from './unitsOfFile.ts';

/** The form of a key of the memory. */
const keyForm = /^[\w-]{22}$/;

/**
 * Stores translations of a TMX file in the memory of an organization, as texts of a person. A text of an
 * engine that comes back as it was exported remains the engine's.
 */
export async function storeInMemory(units: readonly TranslatedUnit[], texts: Texts): Promise<Outcome[]> {
  const keys = units.flatMap(({ id, keys: own }) => [
    ...own.map(({ key }) => key),
    ...(keyForm.test(id) ? [id] : []),
  ]);
  const known = await findTranslations(texts.organization, keys);
  const toKeep = new Map<string, TranslationToKeep>();
  const outcomes = units.map(({ id, source, target, keys: own, isMachine, failure }): Outcome => {
    if (isMachine && known.get(id)?.text === target) return 'unchanged';
    const others = own.filter(({ key }) => known.get(key)?.text !== target);
    if (others.length === 0) return 'unchanged';
    if (failure !== undefined) return { problem: failure };
    for (const { key, role } of others) toKeep.set(key, { key, source, role, text: target });
    return 'stored';
  });
  await keepTexts(texts, [...toKeep.values()]);
  return outcomes;
}

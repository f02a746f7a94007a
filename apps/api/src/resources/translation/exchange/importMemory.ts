import { findTranslations, keepHumanTranslations, pairName, type TranslationToKeep } from '@bindery/models';
import type { Outcome } from './importFile.ts';
import type { GoodUnit } from './unitsOfFile.ts';

/** The form of a key of the memory. */
const keyForm = /^[\w-]{22}$/;

/**
 * Stores translations of a TMX file in the memory of an organization, as texts of a person. A text of an
 * engine that comes back as it was exported remains the engine's.
 */
export async function storeInMemory(
  units: readonly GoodUnit[],
  { organization, pair }: { organization: string; pair: { source: string; target: string } },
): Promise<Outcome[]> {
  const keys = units.flatMap(({ id, keys: own }) => [
    ...own.map(({ key }) => key),
    ...(keyForm.test(id) ? [id] : []),
  ]);
  const known = await findTranslations(organization, keys);
  const toKeep = new Map<string, TranslationToKeep>();
  const outcomes = units.map(({ id, source, target, keys: own, isMachine }): Outcome => {
    if (isMachine && known.get(id)?.text === target) return 'unchanged';
    const others = own.filter(({ key }) => known.get(key)?.text !== target);
    for (const { key, role } of others) toKeep.set(key, { key, source, role, text: target });
    return others.length > 0 ? 'stored' : 'unchanged';
  });
  await keepHumanTranslations({ organization, pair: pairName(pair) }, toKeep.values());
  return outcomes;
}

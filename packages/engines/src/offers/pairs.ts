import { Language, type EnginePairs, type TranslationPairs } from '@bindery/contract';
import { compact } from '@bindery/runtime/compact';
import type { Engine, LanguagePair } from '../engine.ts';

/**
 * Lists the pairs of languages of an engine in few groups: an engine of 50 languages has 2,450 pairs, and
 * every worker writes its list every few seconds.
 */
export function pairsOf({ route }: Pick<Engine, 'route'>): EnginePairs {
  const groups = new Map<string, TranslationPairs>();
  for (const source of Language.options)
    for (const group of groupsOfSource(source, route)) {
      // Sources that reach the same languages, each other included, are one group.
      const { targets, through = [] } = group;
      const key = `${through.join()}:${[...new Set([...targets, source])].toSorted().join()}`;
      const same = groups.get(key);
      if (!same) groups.set(key, group);
      else {
        same.sources.push(source);
        same.targets = [...new Set([...same.targets, ...targets])];
      }
    }
  const [first] = groups.values();
  const hasAll = groups.size === 1 && first?.sources.length === Language.options.length;
  return hasAll && first.targets.length === first.sources.length ? 'any' : [...groups.values()];
}

/** The languages that a source can be translated into, by what texts pass through. */
function groupsOfSource(source: string, route: Engine['route']): TranslationPairs[] {
  const ways = Language.options.flatMap((target) => {
    const way = target === source ? undefined : route({ source, target });
    return way ? [{ target, through: way.slice(1, -1) }] : [];
  });
  return [...Map.groupBy(ways, ({ through }) => through.join()).values()].map((of) => {
    const { through = [] } = of[0] ?? {};
    const targets = of.map(({ target }) => target);
    // Stored as it is, where undefined would become null.
    return compact({ sources: [source], targets, through: through.length > 0 ? through : undefined });
  });
}

/** Whether a pair is among those of a list. */
export function hasPair(pairs: EnginePairs, { source, target }: LanguagePair): boolean {
  if (source === target) return false;
  if (pairs === 'any') return true;
  return pairs.some(({ sources, targets }) => sources.includes(source) && targets.includes(target));
}

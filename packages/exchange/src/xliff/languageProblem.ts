import { countsAs } from '../languages.ts';
import type { ExchangePair } from '../unit.ts';

/** The reason why texts of a file do not belong to a pair of languages. A file may leave them out. */
export function languageProblem(
  { source, target }: { source: string | undefined; target: string | undefined },
  wanted: ExchangePair,
): string | undefined {
  if (source !== undefined && !countsAs(source, wanted.source))
    return `Its source is ${source}, not ${wanted.source}.`;
  if (target !== undefined && !countsAs(target, wanted.target))
    return `Its translation is ${target}, not ${wanted.target}.`;
  return undefined;
}

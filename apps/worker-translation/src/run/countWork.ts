import type { Engine } from '@bindery/engines';
import { findTranslations } from '@bindery/models';
import { partsOfText, segmentKey, wordsOfParts } from '@bindery/translation';
import type { CutText } from './pageWork.ts';
import type { RunSettings } from './runSettings.ts';
import { batchesOf, isTooLong } from './translateTexts.ts';

/** The work that an engine would get: texts, their characters without tags, and calls. */
export type EngineWork = {
  engine: Engine;
  settings: RunSettings;
  texts?: number;
  characters?: number;
  calls?: number;
  /** Keys of the texts that were counted. */
  seen?: Set<string>;
};

/** Keys of one look-up in the memory. */
const perLookUp = 1_000;

/**
 * Adds the work of a group of pages to the work of each engine.
 *
 * @param context.works  the work of the run's engine comes first
 * @returns by key, the origin of the texts that the run would find in the memory
 */
export async function countWork(
  texts: readonly CutText[],
  { organization, works }: { organization: string; works: readonly EngineWork[] },
): Promise<Map<string, 'memory' | 'human'>> {
  const distinct = [...new Map(texts.map((text) => [text.key, text])).values()];
  const people = await lookUp(
    organization,
    distinct.map(({ human }) => human),
  );
  const known = new Map<string, 'memory' | 'human'>();
  for (const { key, human } of distinct) if (people.has(human)) known.set(key, 'human');
  const open = distinct.filter((text) => !people.has(text.human) && !isTooLong(text.text));
  for (const [index, work] of works.entries()) {
    const keys = open.map((text) => keyFor(text, work.settings));
    const found = await lookUp(organization, keys);
    const seen = (work.seen ??= new Set());
    const missing = open.filter((_, at) => {
      const key = keys[at] as string;
      return !found.has(key) && !seen.has(key);
    });
    for (const key of keys) seen.add(key);
    if (index === 0)
      for (const [at, { key }] of open.entries()) if (found.has(keys[at] as string)) known.set(key, 'memory');
    work.texts = (work.texts ?? 0) + missing.length;
    work.characters = (work.characters ?? 0) + missing.reduce((sum, text) => sum + lengthOf(text), 0);
    work.calls = (work.calls ?? 0) + [...batchesOf(missing, work.engine.batch)].length;
  }
  return known;
}

async function lookUp(organization: string, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < keys.length; start += perLookUp) {
    const some = keys.slice(start, start + perLookUp);
    for (const key of (await findTranslations(organization, some, { marksUse: false })).keys())
      found.add(key);
  }
  return found;
}

/** The key of a text in the memory of an engine. */
function keyFor({ role, text, terms }: CutText, { pages }: RunSettings): string {
  const { organization, pair, engine, instructions } = pages;
  const segment = { organization, pair, engine, role, text, terms };
  const key = segmentKey({ ...segment, instructions });
  return Buffer.from(key).toString('base64url');
}

function lengthOf({ text }: CutText): number {
  return wordsOfParts(partsOfText(text) ?? []).length;
}

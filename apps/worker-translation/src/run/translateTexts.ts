import { checkTranslation } from '@bindery/translation';
import type { Engine, LanguagePair } from '@bindery/engines';
import {
  findTranslations,
  keepMachineTranslations,
  maxListedSource,
  pairName,
  type TranslationToKeep,
} from '@bindery/models';
import { faultPoint } from '@bindery/runtime';
import { maskTerms, unmaskTerms } from './maskTerms.ts';
import type { CutText } from './pageWork.ts';

/** Texts of one look-up in the memory, which has two keys for each. */
const perLookUp = 500;

export type Translated = { text: string; origin: 'machine' | 'human'; unknownWords: number };
/** By key: a translation, or the reason why the source stays. */
export type TranslatedTexts = Map<string, Translated | { kept: string }>;

/**
 * Translates texts: from the memory, or else by the engine. Each batch of the engine is stored in the memory
 * before the next one is sent, so that an interrupted run pays for no text twice.
 *
 * @param onBatch  called with the number of texts that the engine has translated
 * @throws JobError of the engine
 */
export async function translateTexts(
  texts: readonly CutText[],
  {
    organization,
    engine,
    pair,
    instructions,
    signal,
    onBatch,
  }: {
    organization: string;
    engine: Engine;
    pair: LanguagePair;
    /** Only for an engine that follows them. */
    instructions?: string;
    signal: AbortSignal;
    onBatch(count: number): void;
  },
): Promise<TranslatedTexts> {
  const distinct = [...new Map(texts.map((text) => [text.key, text])).values()];
  const result: TranslatedTexts = new Map();
  for (let start = 0; start < distinct.length; start += perLookUp) {
    const some = distinct.slice(start, start + perLookUp);
    const found = await findTranslations(
      organization,
      some.flatMap(({ key, human }) => [key, human]),
    );
    for (const { key, human } of some) {
      const known = found.get(human) ?? found.get(key);
      if (known) result.set(key, { unknownWords: 0, ...known });
    }
  }
  for (const { key, text } of distinct)
    if (isTooLong(text)) result.set(key, { kept: 'The text is too long to be translated.' });
  const missing = distinct.filter(({ key }) => !result.has(key));
  for (const batch of batchesOf(missing, engine.batch)) {
    signal.throwIfAborted();
    const asked = batch.map(({ text, terms }) => (engine.can.glossary ? text : maskTerms(text, terms)));
    const answers = await engine.translate(asked, {
      ...{ pair, instructions, signal },
      terms: engine.can.glossary ? batch.map(({ terms }) => terms) : undefined,
    });
    const good: (TranslationToKeep & { unknownWords: number })[] = [];
    for (const [index, { key, role, text: source, terms }] of batch.entries()) {
      const answer = answers[index] ?? { refused: 'The engine gave no answer.' };
      if ('refused' in answer) {
        result.set(key, { kept: answer.refused });
        continue;
      }
      const text = engine.can.glossary ? answer.text : unmaskTerms(answer.text, terms);
      const [failure] = checkTranslation(source, text, { terms });
      if (failure) {
        result.set(key, { kept: failure.message });
        continue;
      }
      const { unknownWords = 0 } = answer;
      good.push({ key, source, role, text, unknownWords });
      result.set(key, { text, origin: 'machine', unknownWords });
    }
    await faultPoint('translation.answered');
    await keepMachineTranslations({ organization, pair: pairName(pair) }, good);
    await faultPoint('translation.kept');
    onBatch(batch.length);
  }
  return result;
}

/** Tells whether a text is too long to check its translation: it keeps its source. */
export function isTooLong(text: string): boolean {
  return text.length > maxListedSource;
}

/** Batches within the limits of an engine; a text that alone exceeds them is a batch of its own. */
export function* batchesOf<Text extends { text: string }>(
  texts: readonly Text[],
  limits: Engine['batch'],
): Iterable<Text[]> {
  let batch: Text[] = [];
  let characters = 0;
  for (const text of texts) {
    const isFull = batch.length === limits.texts || characters + text.text.length > limits.characters;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.text.length;
  }
  if (batch.length > 0) yield batch;
}

import type { EngineAnswer } from '../engine.ts';
import type { Asked } from './askForAll.ts';
import { readTagged } from './taggedText.ts';

/**
 * Encloses a text in a tag with its number, for services that answer in order: an answer in the place of
 * another is recognized by it. Tags cost nothing, and services keep them.
 */
export function numberedText({ index, text }: Asked): string {
  return `<t id="${index}">${text}</t>`;
}

/**
 * Assigns answers to texts by their numbers. Answers without any number are assigned by their order if there
 * is one for each text.
 *
 * @returns by index; a text whose answer is missing, or which has two, has none
 */
export function answersByNumber(
  texts: readonly Asked[],
  answers: readonly string[],
): Map<number, EngineAnswer> {
  const found = answers.map((answer) => numbered.exec(answer.trim()));
  const inOrder = answers.length === texts.length && found.every((match) => match === null);
  const byIndex = new Map<number, EngineAnswer | undefined>();
  for (const [place, answer] of answers.entries()) {
    const [, number, inner = answer] = found[place] ?? [];
    const named = number === undefined ? undefined : Number(number);
    const index = inOrder ? texts[place]?.index : named;
    if (index === undefined) continue;
    const text = readTagged(inner);
    const read = text === undefined ? { refused: 'Its placeholders do not nest.' } : { text };
    byIndex.set(index, byIndex.has(index) ? undefined : read);
  }
  return new Map([...byIndex].flatMap(([index, answer]) => (answer ? [[index, answer] as const] : [])));
}

const numbered = /^<t id="(\d{1,6})">([^]*)<\/t>$/;

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { EngineAnswer } from '../engine.ts';
import type { Asked, Reply } from '../service/askForAll.ts';
import { parseJson } from '../service/serviceErrors.ts';
import { readTagged } from '../service/taggedText.ts';

const Completion = z.object({
  choices: z.tuple(
    [
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    ],
    z.unknown(),
  ),
});

const Items = z.object({ items: z.array(z.object({ id: z.string(), text: z.string() })) });

/** A model copies such an id from its text. It could make up a number that is one too high. */
export function idOf({ index, text }: Asked): string {
  return createHash('sha256').update(`${index} ${text}`).digest('hex').slice(0, 8);
}

/**
 * Reads a completion. A text has an answer if its id occurs once and its placeholders are the same.
 *
 * @returns undefined for what is no completion
 */
export function replyOfChat(body: string, asked: readonly Asked[]): Reply | undefined {
  const { data } = Completion.safeParse(parseJson(body));
  if (!data) return undefined;
  const [{ finish_reason: reason, message }] = data.choices;
  if (reason === 'length') return { refused: 'The text is too long for the language model.' };
  if (reason === 'content_filter' || message.refusal)
    return { refused: 'The language model refuses to translate the text.' };
  const byId = new Map<string, string | undefined>();
  for (const { id, text } of itemsIn(message.content ?? '')) byId.set(id, byId.has(id) ? undefined : text);
  const texts = asked.flatMap((one) => {
    const text = byId.get(idOf(one));
    return text === undefined ? [] : [{ ...one, answer: text }];
  });
  const isRight = ({ text, answer }: { text: string; answer: string }) =>
    tagsIn(text) === tagsIn(readTagged(answer) ?? '');
  const tagged = texts.filter(({ text, answer }) => tagsIn(text) !== '' || tagsIn(answer) !== '');
  const wrong = tagged.filter((one) => !isRight(one));
  // Texts without tags are probably mixed up as well.
  if (wrong.length > 1 && wrong.length > tagged.length / 2)
    return { refused: 'The language model mixes up texts.' };
  // One text alone has no better answer to wait for: the checks say what is wrong with it.
  const good = asked.length === 1 ? texts : texts.filter(isRight);
  return new Map(good.map(({ index, answer }) => [index, read(answer)]));
}

function read(answer: string): EngineAnswer {
  const text = readTagged(answer);
  return text === undefined ? { refused: 'Its placeholders do not nest.' } : { text };
}

/** Some servers put a fence around JSON. */
function itemsIn(content: string) {
  const json = content
    .trim()
    .replace(/^```(?:json)?/, '')
    .replace(/```$/, '');
  return Items.safeParse(parseJson(json)).data?.items ?? [];
}

const tagsIn = (text: string) => (text.match(/<(?:g|x) id="\d{1,4}"/g) ?? []).toSorted().join(' ');

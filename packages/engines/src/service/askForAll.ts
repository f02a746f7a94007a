import { JobError } from '@bindery/contract/jobErrors';
import type { EngineAnswer } from '../engine.ts';

/** A text, and its place among those of the call. */
export type Asked = { index: number; text: string };

/** Answers by the index of their text; or the reason why a request as a whole got none. */
export type Reply = ReadonlyMap<number, EngineAnswer> | { refused: string };

/** Requests that brought less than half of their texts, before the others are given up. */
const maxPoorReplies = 2;
/** When a service refuses all of at least this many texts, the fault is not in the texts. */
const suspicious = 10;

/**
 * Gets an answer for each text. Texts without one are asked for again. A request that was refused is halved,
 * down to the one text that the service refuses.
 *
 * @param ask  sends a request
 * @param requests  the texts in groups, each within the limits of a request
 * @param name  of the service
 * @throws JobError when a service refuses each single one of many texts
 */
export async function askForAll(
  requests: readonly (readonly Asked[])[],
  ask: (texts: readonly Asked[]) => Promise<Reply>,
  name: string,
): Promise<EngineAnswer[]> {
  const answers: EngineAnswer[] = [];
  let refusals = 0;

  const fill = async (texts: readonly Asked[], poorReplies = 0): Promise<void> => {
    const reply = await ask(texts);
    if ('refused' in reply) {
      const [first] = texts;
      if (texts.length === 1 && first) {
        refusals += 1;
        answers[first.index] = reply;
      } else {
        const middle = Math.ceil(texts.length / 2);
        await fill(texts.slice(0, middle));
        await fill(texts.slice(middle));
      }
      return;
    }
    for (const { index } of texts) {
      const answer = reply.get(index);
      if (answer) answers[index] = answer;
    }
    const missing = texts.filter(({ index }) => !answers[index]);
    if (missing.length === 0) return;
    const isPoor = missing.length > texts.length / 2;
    if (isPoor && poorReplies + 1 === maxPoorReplies)
      for (const { index } of missing) answers[index] = { refused: `${name} gave no answer for the text.` };
    else await fill(missing, poorReplies + Number(isPoor));
  };

  for (const request of requests) await fill(request);
  if (refusals === answers.length && refusals >= suspicious)
    throw new JobError('bad_content', `${name} refuses every text.`, {
      action: 'Ask the operator to check its configuration and its limits.',
    });
  return answers;
}

/**
 * Cuts texts into requests, in order.
 *
 * @param sizeOf  in the unit of `limits.size`; a text that alone exceeds it is a request of its own
 */
export function requestsOf(
  texts: readonly string[],
  limits: { texts: number; size: number },
  sizeOf: (text: string) => number,
): Asked[][] {
  const requests: Asked[][] = [];
  let size = 0;
  for (const [index, text] of texts.entries()) {
    const own = sizeOf(text);
    const last = requests.at(-1);
    if (last && last.length < limits.texts && size + own <= limits.size) {
      last.push({ index, text });
      size += own;
    } else {
      requests.push([{ index, text }]);
      size = own;
    }
  }
  return requests;
}

import { JobError } from '@bindery/contract/jobErrors';
import { partsOfText, textOfParts } from '@bindery/translation';
import { z } from 'zod';
import { routeOf } from '../apertium/modes.ts';
import { partsOfStream, streamOfParts, withoutStop } from '../apertium/streamText.ts';
import type { Engine, EngineAnswer, LanguagePair } from '../engine.ts';
import { askForAll, requestsOf, type Asked, type Reply } from '../service/askForAll.ts';
import {
  openService,
  type AskService,
  type ServiceAnswer,
  type ServiceSettings,
} from '../service/service.ts';
import { errorOfStatus, parseJson, unreadable } from '../service/serviceErrors.ts';

const name = 'Apertium APy';
const labels = { name, variables: 'BINDERY_APY' };

/**
 * APy cuts what it gets into pieces, at 4,096 bytes, or at 1,000 characters while others use it, and leaves
 * out what exceeds ten of them. A piece that ends within a text may lose its stop.
 */
const requestLimits = { texts: 50, size: 1_000 };
const longestBytes = 4_000;

/** A pair of languages, as APy calls it. */
type ApyMode = LanguagePair & { langpair: string };

const Pairs = z.object({
  responseData: z.array(z.object({ sourceLanguage: z.string(), targetLanguage: z.string() })),
});

/**
 * Makes an engine of an Apertium APy, with the pairs that it has now. It is slower than Apertium on the
 * machine of the worker, and its formatting keeps its place while words move.
 *
 * @throws JobError when it does not answer
 */
export async function openApy({ outbound, url }: ServiceSettings): Promise<Engine> {
  const ask = openService({ outbound, url }, name);
  const modes = await loadModes(ask);
  // Numbers are not used again: a pipeline of APy may answer one request late.
  let asked = 0;
  return {
    name: 'apy',
    version: '2',
    can: { instructions: false, glossary: false, formatting: false },
    batch: { texts: 100, characters: 40_000 },
    route(pair) {
      const route = routeOf(modes, pair);
      return route && [pair.source, ...route.map(({ target }) => target)];
    },
    async translate(texts, { pair, signal }) {
      let answers: EngineAnswer[] = texts.map((text) => ({ text }));
      for (const { langpair } of routeOf(modes, pair) ?? []) {
        const firstNumber = asked;
        asked += texts.length;
        answers = await translateAll(answers, firstNumber, (q) =>
          ask({
            path: '/translateRaw',
            // Without marks at unknown words it would remove stars of the source as well.
            form: { langpair, q, deformat: 'False', markUnknown: 'yes' },
            signal,
          }),
        );
      }
      return answers;
    },
    close: () => outbound.close(),
  };
}

async function loadModes(ask: AskService): Promise<ApyMode[]> {
  const answer = await ask({ path: '/listPairs', signal: AbortSignal.timeout(30_000) });
  if (answer.status !== 200) throw errorOfStatus(answer, labels);
  const { data } = Pairs.safeParse(parseJson(answer.text));
  if (!data) throw unreadable(name);
  return data.responseData.map(({ sourceLanguage: source, targetLanguage: target }) => ({
    source: codeOf(source),
    target: codeOf(target),
    langpair: `${source}|${target}`,
  }));
}

/** `eng` is `en`, and `por_BR` is `pt-br`. */
function codeOf(language: string): string {
  try {
    const [code = language] = Intl.getCanonicalLocales(language.replace('_', '-'));
    return code === 'nb' ? 'no' : code.toLowerCase();
  } catch {
    return language;
  }
}

/** Translates the texts among answers over one pair. Their numbers begin with `firstNumber`. */
async function translateAll(
  answers: readonly EngineAnswer[],
  firstNumber: number,
  send: (q: string) => Promise<ServiceAnswer>,
): Promise<EngineAnswer[]> {
  const sources = answers.map((answer) => ('text' in answer ? partsOfText(answer.text) : undefined));
  const streams = sources.map((parts) => (parts ? streamOfParts(parts, 'blanks') : ''));
  const ask = async (asked: readonly Asked[]): Promise<Reply> => {
    const [first] = asked;
    if (asked.length === 1 && Buffer.byteLength(first?.text ?? '') > longestBytes)
      return { refused: 'The text is too long for Apertium APy.' };
    const q = asked.map(({ index, text }) => `${text}.[<q${firstNumber + index}>]`).join('');
    return replyOf(await send(q), firstNumber);
  };
  const replies = await askForAll(
    requestsOf(streams, requestLimits, (stream) => stream.length + '.[<q1234567>]'.length),
    ask,
    name,
  );
  return answers.map((answer, index) => {
    const [source, reply] = [sources[index], replies[index]];
    if (!('text' in answer)) return answer;
    if (!source) return { refused: 'The text is not well-formed.' };
    if (!reply || !('text' in reply)) return reply ?? { refused: 'There is no answer.' };
    const read = partsOfStream(reply.text, source);
    return read
      ? { text: textOfParts(read.parts), unknownWords: read.unknownWords }
      : { refused: 'Apertium tore the formatting of the text apart.' };
  });
}

/** The answer is the stream itself, not JSON. Each text of it ends with its number. */
function replyOf(answer: ServiceAnswer, firstNumber: number): Reply {
  const { status, text } = answer;
  // When a pipeline hangs or ends, which a text can make it do, APy starts another one.
  if (status === 503) return { refused: 'Apertium APy cannot process the text.' };
  if (status === 400)
    throw new JobError('unsupported_language', 'Apertium APy no longer has the pair of languages.', {
      action: 'Ask the operator to install it there, and run the translation again.',
    });
  if (status !== 200) throw errorOfStatus(answer, labels);
  const pieces = text.split(/\[<q(\d{1,15})>\]/);
  const found = new Map<number, EngineAnswer>();
  for (let at = 1; at < pieces.length; at += 2)
    found.set(Number(pieces[at]) - firstNumber, { text: withoutStop(pieces[at - 1] ?? '') });
  return found;
}

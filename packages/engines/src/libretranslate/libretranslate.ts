import { z } from 'zod';
import { retryAfterMs } from '@bindery/outbound';
import type { Engine, EngineAnswer } from '../engine.ts';
import { askForAll, requestsOf, type Asked, type Reply } from '../service/askForAll.ts';
import { answersByNumber, numberedText } from '../service/numberedText.ts';
import { openService, type ServiceSettings } from '../service/service.ts';
import { errorOfStatus, parseJson, unreadable } from '../service/serviceErrors.ts';
import { withoutControls } from '../service/taggedText.ts';
import { codesOf, Languages } from './libretranslateLanguages.ts';
import { maskMarkup, unmaskMarkup } from './maskMarkup.ts';
import { Pause } from './pause.ts';

/** It translates the texts of a request one after the other. */
const requestLimits = { texts: 25, size: 20_000 };
const name = 'LibreTranslate';
const labels = { name, variables: 'BINDERY_LIBRETRANSLATE' };

const Answer = z.object({ translatedText: z.array(z.string()) });

/**
 * Makes an engine of a LibreTranslate, with the languages that it has now.
 *
 * @throws JobError when it does not answer
 */
export async function openLibretranslate({ outbound, url, key }: ServiceSettings): Promise<Engine> {
  const ask = openService({ outbound, url }, name);
  const languages = await loadLanguages(ask);
  const pause = new Pause(name);
  return {
    name: 'libretranslate',
    version: '1',
    can: { instructions: false, glossary: false, formatting: true },
    batch: { texts: requestLimits.texts, characters: requestLimits.size },
    route: (pair) => codesOf(languages, pair) && [pair.source, pair.target],
    async translate(texts, { pair, signal }) {
      const codes = codesOf(languages, pair);
      if (!codes) throw new Error(`LibreTranslate has no way from ${pair.source} to ${pair.target}.`);
      const masked = texts.map((text) => maskMarkup(withoutControls(text)));
      const request = async (asked: readonly Asked[]): Promise<Reply> => {
        pause.check();
        const answer = await ask({
          path: '/translate',
          json: {
            q: asked.map(numberedText),
            ...codes,
            format: 'html',
            api_key: key,
          },
          signal,
        });
        const { status, headers, text } = answer;
        if (status === 429) throw pause.begin(retryAfterMs(headers));
        // Its messages are in the language of the caller: only the status says what it means.
        if (status === 400) return { refused: 'LibreTranslate refuses the text, which may be too long.' };
        if (status !== 200) throw errorOfStatus(answer, labels);
        pause.end();
        const { data } = Answer.safeParse(parseJson(text));
        if (!data) throw unreadable(name);
        return answersByNumber(asked, data.translatedText);
      };
      const sent = masked.map((text) => (text ? inHtml(text.text) : ''));
      const answers = await askForAll(
        requestsOf(sent, requestLimits, (text) => text.length),
        request,
        name,
      );
      return answers.map((answer, index) => unmasked(answer, masked[index]));
    },
    close: () => outbound.close(),
  };
}

async function loadLanguages(ask: ReturnType<typeof openService>): Promise<z.infer<typeof Languages>> {
  const answer = await ask({ path: '/languages', signal: AbortSignal.timeout(30_000) });
  if (answer.status !== 200) throw errorOfStatus(answer, labels);
  const { data } = Languages.safeParse(parseJson(answer.text));
  if (!data) throw unreadable(name);
  return data;
}

/** HTML has no empty tag of that name: what follows it would be in it. */
const inHtml = (text: string) => text.replaceAll(/<x id="(\d{1,4})"\/>/g, '<x id="$1"></x>');

function unmasked(answer: EngineAnswer, masked: ReturnType<typeof maskMarkup>): EngineAnswer {
  if (!masked) return { refused: 'The text is not well-formed.' };
  return 'text' in answer ? { ...answer, text: unmaskMarkup(answer.text, masked.masked) } : answer;
}

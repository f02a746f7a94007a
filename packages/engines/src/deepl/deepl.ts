import { JobError } from '@bindery/contract/jobErrors';
import { z } from 'zod';
import type { Engine } from '../engine.ts';
import { askForAll, requestsOf, type Asked, type Reply } from '../service/askForAll.ts';
import { answersByNumber, numberedText } from '../service/numberedText.ts';
import { openService, type ServiceAnswer, type ServiceSettings } from '../service/service.ts';
import { errorOfStatus, parseJson, quotaUsedUp, unreadable } from '../service/serviceErrors.ts';
import { withoutControls } from '../service/taggedText.ts';
import { deeplLanguages } from './deeplLanguages.ts';

/** DeepL takes a body of 128 KiB; the settings of a request take less than 1 KiB. */
const requestLimits = { texts: 50, size: 127 * 1024 };
const name = 'DeepL';

const Answer = z.object({ translations: z.array(z.object({ text: z.string() })) });

export function deeplUrl(key: string): string {
  return key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com';
}

/** Makes an engine of the API of DeepL, version 2. */
export function openDeepl({ outbound, url, key }: ServiceSettings & { key: string }): Engine {
  const ask = openService({ outbound, url }, name);
  return {
    name: 'deepl',
    version: '1',
    can: { instructions: false, glossary: false, formatting: true },
    batch: { texts: requestLimits.texts, characters: 30_000 },
    route: (pair) => deeplLanguages(pair) && [pair.source, pair.target],
    async translate(texts, { pair, signal }) {
      const languages = deeplLanguages(pair);
      if (!languages) throw unsupported();
      const request = async (asked: readonly Asked[]): Promise<Reply> => {
        const answer = await ask({
          path: '/v2/translate',
          headers: { authorization: `DeepL-Auth-Key ${key}` },
          json: {
            text: asked.map(numberedText),
            source_lang: languages.source,
            target_lang: languages.target,
            tag_handling: 'xml',
            tag_handling_version: 'v2',
            outline_detection: false,
            ignore_tags: ['x'],
          },
          signal,
        });
        return replyOf(answer, asked);
      };
      const requests = requestsOf(texts.map(withoutControls), requestLimits, sizeOf);
      return askForAll(requests, request, name);
    },
    close: () => outbound.close(),
  };
}

/** Bytes in the body, with what encloses the text. */
const sizeOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) + 32;

function replyOf(answer: ServiceAnswer, asked: readonly Asked[]): Reply {
  const { status, text } = answer;
  if (status === 400) {
    // Halving would end in the same answer for each text. DeepL's messages are in English.
    if (/(source|target)_lang/.test(text)) throw unsupported();
    return { refused: 'DeepL cannot read the text.' };
  }
  if (status === 413) return { refused: 'The text is too long for DeepL.' };
  if (status === 456) throw quotaUsedUp(name);
  if (status !== 200) throw errorOfStatus(answer, { name, variables: 'BINDERY_DEEPL' });
  const { data } = Answer.safeParse(parseJson(text));
  if (!data) throw unreadable(name);
  return answersByNumber(
    asked,
    data.translations.map((translation) => translation.text),
  );
}

function unsupported(): JobError {
  return new JobError('unsupported_language', 'DeepL does not translate between these languages.', {
    action: 'Configure an engine that can (docs/translation.md), and run the translation again.',
  });
}

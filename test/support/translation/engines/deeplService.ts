import { z } from 'zod';
import { faulty, startTestService, type Response, type TestService } from './testService.ts';
import { transliterated } from './transliterated.ts';

export const deeplKey = 'deepl-secret-0123456789:fx';

/** All that a request has to hold, and nothing else. */
const Body = z.strictObject({
  text: z.array(z.string()).min(1).max(50),
  source_lang: z.enum(['EN', 'DE', 'PT', 'ZH', 'NB', 'ES']),
  target_lang: z.enum(['DE', 'JA', 'AR', 'ES', 'EN-GB', 'EN-US', 'PT-PT', 'PT-BR', 'ZH-HANS', 'ZH-HANT']),
  tag_handling: z.literal('xml'),
  tag_handling_version: z.literal('v2'),
  outline_detection: z.literal(false),
  ignore_tags: z.tuple([z.literal('x')]),
});

const maxBodyBytes = 128 * 1024;

/** Texts with this word get 400, as if they were no XML. */
export const unparsable = 'UNPARSABLE';

/** Starts a service with the protocol of DeepL, version 2, whose limits it applies strictly. */
export function startDeeplService(): Promise<TestService> {
  return startTestService((call, takeFault): Response => {
    if (call.method !== 'POST' || call.path !== '/v2/translate') return { status: 404 };
    if (call.headers.authorization !== `DeepL-Auth-Key ${deeplKey}`) return { status: 403 };
    if (Buffer.byteLength(call.body) > maxBodyBytes) return { status: 413 };
    const { data, error } = Body.safeParse(JSON.parse(call.body));
    if (!data) {
      const [{ path } = { path: [] }] = error.issues;
      return { status: 400, json: { message: `Value for '${path.join('.')}' not supported.` } };
    }
    if (data.text.some((text) => !isXml(text) || text.includes(unparsable)))
      return { status: 400, json: { Message: 'Tag handling parsing failed, please check input.' } };
    const answers = faulty(
      takeFault(),
      data.text.map((text) => transliterated(text, data.target_lang)),
    );
    if (!Array.isArray(answers)) return answers;
    const translations = answers.map((text) => ({ detected_source_language: data.source_lang, text }));
    return { status: 200, json: { translations } };
  });
}

/** Whether a text is well-formed content of an XML document. */
function isXml(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- XML excludes them
  if (!text.isWellFormed() || /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) return false;
  const open: string[] = [];
  const rest = text.replaceAll(
    /<(\/?)([a-z]+)((?: [a-z]+="[^"<&]*")*)(\/?)>/g,
    (_, closes, name, __, empty) => {
      if (closes === '/') return open.pop() === name ? '' : '<';
      if (empty === '') open.push(String(name));
      return '';
    },
  );
  return open.length === 0 && !/<|&(?!(?:lt|gt|amp|quot|apos|#\d+);)/.test(rest);
}

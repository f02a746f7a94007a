import { z } from 'zod';
import { faulty, startTestService, type Response, type TestService } from './testService.ts';
import { transliterated } from './transliterated.ts';

export const libretranslateKey = 'libre-secret-0123456789';

const Body = z.strictObject({
  q: z.array(z.string()),
  source: z.string(),
  target: z.string(),
  format: z.literal('html'),
  api_key: z.string().optional(),
});

export const limits = { batch: 25, characters: 2_000 };

const languages = ['en', 'de', 'ja', 'ar', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant', 'nb'].map((code, _, all) => ({
  code,
  name: code,
  targets: all,
}));

/** Errors are in the language of whoever asks. */
const error = (status: number, text: string): Response => ({ status, json: { error: text } });

/**
 * Starts a service with the protocol of LibreTranslate. It bans who goes on after `bannedAfter` answers that
 * ask to slow down.
 */
export async function startLibretranslateService({ bannedAfter = 2 } = {}): Promise<TestService> {
  let offences = 0;
  return startTestService((call, takeFault): Response => {
    if (call.method === 'GET' && call.path === '/languages') return { status: 200, json: languages };
    if (call.method !== 'POST' || call.path !== '/translate') return error(404, 'Nicht gefunden');
    const { data } = Body.safeParse(JSON.parse(call.body));
    if (!data) return error(400, 'Ungültige Anfrage');
    if (data.api_key !== libretranslateKey) return error(403, 'Ungültiger API-Schlüssel');
    if (offences > bannedAfter) return error(403, 'Zu viele Verstöße');
    const pair = languages.find(({ code }) => code === data.source)?.targets.includes(data.target);
    if (!pair || data.q.length > limits.batch || data.q.some((text) => text.length > limits.characters))
      return error(400, 'Ungültige Anfrage: Der Text überschreitet die Grenze');
    const fault = takeFault();
    if (typeof fault === 'object' && fault.status === 429) offences += 1;
    const answers = faulty(
      fault,
      data.q.map((text) => unescaped(asParsed(transliterated(text, data.target)))),
    );
    return Array.isArray(answers) ? { status: 200, json: { translatedText: answers } } : answers;
  });
}

/** The parser closes a tag where it stands, if it has a slash. */
const asParsed = (html: string) => html.replaceAll(/<x ([^<>]*)\/>/g, '<x $1></x>');

const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

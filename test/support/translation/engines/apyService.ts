import { faulty, startTestService, type Response, type TestService } from './testService.ts';
import { transliterated } from './transliterated.ts';

const pairs = ['eng|spa', 'spa|fra', 'spa|por_BR', 'eng|deu', 'spa|eng_US'].map((pair) => {
  const [sourceLanguage = '', targetLanguage = ''] = pair.split('|');
  return { sourceLanguage, targetLanguage };
});

/** A text with this word ends the pipeline, as some inputs of Apertium do. */
export const deadly = 'DEADLY';

const maxPieces = 10;

/** Starts a service with the protocol of Apertium APy: it answers with text, of which it may lose the end. */
export function startApyService(): Promise<TestService> {
  return startTestService((call, takeFault): Response => {
    if (call.method === 'GET' && call.path === '/listPairs')
      return { status: 200, json: { responseData: pairs, responseDetails: null, responseStatus: 200 } };
    if (call.method !== 'POST' || call.path !== '/translateRaw') return { status: 404 };
    const form = new URLSearchParams(call.body);
    const q = form.get('q') ?? '';
    const langpair = form.get('langpair') ?? '';
    if (!pairs.some(({ sourceLanguage: from, targetLanguage: into }) => `${from}|${into}` === langpair))
      return { status: 400, json: { status: 'error', explanation: 'That pair is not installed' } };
    // Anything else would be formatted, and binding to words is not in the pipelines of APy.
    const isStream = form.get('deformat') === 'False' && form.get('markUnknown') === 'yes';
    if (!isStream || /\[\[|[\0^$]/.test(q.replaceAll(/\\./gs, '')) || q.includes(deadly))
      return { status: 503 };
    const pieces =
      Buffer.from(q)
        .toString('latin1')
        .match(/[^]{1,4096}/g) ?? [];
    const kept = Buffer.from(pieces.slice(0, maxPieces).join(''), 'latin1').toString();
    // The last stop is held back, unless a blank comes behind it.
    const text = kept.replace(/\.$/, '');
    const answers = faulty(takeFault(), [translated(text, langpair)]);
    return Array.isArray(answers) ? { status: 200, text: answers.join('') } : answers;
  });
}

/** Marks words that begin with `blarg` as unknown. */
function translated(stream: string, langpair: string): string {
  const language = langpair === 'eng|deu' ? 'de' : 'es';
  return stream
    .split(/(\[[^[\]]*\]|\bblarg\w*)/)
    .map((piece, index) => {
      if (index % 2 === 0) return transliterated(piece, language);
      return piece.startsWith('[') ? piece : `*${piece}`;
    })
    .join('');
}

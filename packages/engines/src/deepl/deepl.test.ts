import { textOfParts } from '@bindery/translation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deeplKey,
  startDeeplService,
  unparsable,
} from '../../../../test/support/translation/engines/deeplService.ts';
import { failureOf, textsOf } from '../../../../test/support/translation/engines/engineAnswers.ts';
import type { TestService } from '../../../../test/support/translation/engines/testService.ts';
import { transliterated } from '../../../../test/support/translation/engines/transliterated.ts';
import type { Engine } from '../engine.ts';
import { deeplUrl, openDeepl } from './deepl.ts';

const { signal } = new AbortController();
const intoJapanese = { pair: { source: 'en', target: 'ja' }, signal };
const texts = Array.from(
  { length: 8 },
  (_, index) => `Read <g id="1">the page</g> ${index} of <x id="2"/> now.`,
);
const japanese = texts.map((text) => transliterated(text, 'ja'));

describe('DeepL', () => {
  let service: TestService;
  let engine: Engine;
  beforeEach(async () => {
    service = await startDeeplService();
    engine = openDeepl({ outbound: service.outbound(), url: service.url, key: deeplKey });
  });
  afterEach(async () => {
    await engine.close();
    await service.close();
  });
  const translate = async (some: readonly string[]) => textsOf(await engine.translate(some, intoJapanese));
  const sizes = () => service.calls.map(({ body }) => (JSON.parse(body) as { text: string[] }).text.length);

  it('translates texts with placeholders, in their order', async () => {
    expect(await translate(texts)).toEqual(japanese);
    expect(sizes()).toEqual([8]);
  });

  it.each([
    ['en', 'de', ['EN', 'DE']],
    ['de', 'en', ['DE', 'EN-US']],
    ['en', 'pt', ['EN', 'PT-PT']],
    ['en', 'pt-br', ['EN', 'PT-BR']],
    ['pt-br', 'es', ['PT', 'ES']],
    ['en', 'zh', ['EN', 'ZH-HANS']],
    ['en', 'zh-tw', ['EN', 'ZH-HANT']],
    ['no', 'de', ['NB', 'DE']],
  ] as const)('translates from %s into %s', async (source, target, codes) => {
    expect(engine.route({ source, target })).toEqual([source, target]);
    await engine.translate(['A page'], { pair: { source, target }, signal });
    const { source_lang, target_lang } = JSON.parse(service.calls[0]?.body ?? '');
    expect([source_lang, target_lang]).toEqual(codes);
  });

  it('has no route between unknown languages, or from a language to itself', () => {
    expect(engine.route({ source: 'en', target: 'hr' })).toBeUndefined();
    expect(engine.route({ source: 'en', target: 'en' })).toBeUndefined();
  });

  it('sends at most 50 texts and 128 KiB at once', async () => {
    const long = Array.from({ length: 120 }, (_, index) => `${'漢字"\n'.repeat(600)} ${index}`);
    expect(await translate(long)).toEqual(long.map((text) => transliterated(text, 'ja')));
    expect(sizes().every((size) => size <= 50)).toBe(true);
    expect(sizes().length).toBeLessThan(12);
    const short = Array.from({ length: 120 }, (_, index) => `Text ${index}`);
    service.calls.length = 0;
    await translate(short);
    expect(sizes()).toEqual([50, 50, 20]);
  });

  it('halves a request that is too large, and refuses the one text that is too large', async () => {
    service.faults.push({ status: 413 });
    const answers = await engine.translate([...texts, 'a '.repeat(70_000)], intoJapanese);
    expect(textsOf(answers.slice(0, -1))).toEqual(japanese);
    expect(answers.at(-1)).toEqual({ refused: 'The text is too long for DeepL.' });
    expect(sizes()).toEqual([8, 4, 4, 1]);
  });

  it('finds the one text that it cannot read', async () => {
    const answers = await engine.translate([...texts, unparsable, ...texts], intoJapanese);
    expect(answers[8]).toEqual({ refused: 'DeepL cannot read the text.' });
    expect(textsOf(answers.toSpliced(8, 1))).toEqual([...japanese, ...japanese]);
    expect(sizes().length).toBeLessThan(12);
  });

  it('sends only valid XML', async () => {
    const hostile = [
      'a\0b\u0008c\ufffe',
      '\ud800 lone',
      'a < b && c > d',
      '</t><t id="0">',
      '&lt;x id="1"/&gt;',
      ']]>',
    ];
    const asked = hostile.map((words) => textOfParts([words]));
    const answers = await engine.translate(asked, intoJapanese);
    expect(answers.map((answer) => 'text' in answer)).toEqual(hostile.map(() => true));
    expect(textsOf(answers).slice(2)).toEqual(asked.slice(2).map((text) => transliterated(text, 'ja')));
  });

  it.each([
    ['reordered', (answers: string[]) => answers.toReversed()],
    ['shifted', (answers: string[]) => answers.map((_, index) => answers[index - 1] ?? '')],
    ['half', (answers: string[]) => answers.slice(0, 4)],
    [
      'doubled',
      (answers: string[]) => answers.map((answer, index) => (index < 3 ? (answers[0] ?? '') : answer)),
    ],
    ['written otherwise', (answers: string[]) => answers.map((answer) => answer.replace('/>', '></x>'))],
  ])('puts %s answers in their place, and requests missing answers again', async (_, fault) => {
    service.faults.push(fault);
    expect(await translate(texts)).toEqual(japanese);
    expect(sizes().length).toBeLessThanOrEqual(2);
  });

  it('assigns answers without numbers by their order, if there is one for each text', async () => {
    const bare = (answers: string[]) => answers.map((answer) => answer.replaceAll(/<\/?t[^>]*>/g, ''));
    service.faults.push(bare);
    expect(await translate(texts)).toEqual(japanese);
    service.faults.push((answers) => bare(answers).slice(1));
    expect(await translate(texts)).toEqual(japanese);
  });

  it('gives up texts that get no answer', async () => {
    service.faults.push(
      () => [],
      () => [],
    );
    expect(await engine.translate(texts, intoJapanese)).toEqual(
      texts.map(() => ({ refused: 'DeepL gave no answer for the text.' })),
    );
    expect(sizes()).toEqual([8, 8]);
  });

  it('treats added markup as text', async () => {
    service.faults.push((answers) =>
      answers.map((answer) => answer.replace('</t>', '<b>&lt;x id="7"/&gt; & more</t>')),
    );
    expect(await translate(['A'])).toEqual(['ア&lt;b&gt;&lt;x id="7"/&gt; &amp; more']);
  });

  it.each([
    [{ status: 456 }, { code: 'quota', class: 'invalid' }],
    [{ status: 403 }, { code: 'auth', class: 'auth' }],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { code: 'throttled', retryAfterMs: 7_000 },
    ],
    [{ status: 429 }, { code: 'throttled', class: 'throttled' }],
    [{ status: 529 }, { code: 'throttled', class: 'throttled' }],
    [
      { status: 503, headers: { 'retry-after': '3' } },
      { code: 'throttled', retryAfterMs: 3_000 },
    ],
    [{ status: 500 }, { code: 'http_status', class: 'transient' }],
    [{ status: 503 }, { code: 'http_status', class: 'transient' }],
    [
      { status: 200, text: '<html>' },
      { code: 'bad_content', class: 'transient' },
    ],
    [
      { status: 200, text: '{"translations":[{"text":7}]}' },
      { code: 'bad_content', class: 'transient' },
    ],
    [
      { status: 302, headers: { location: 'http://127.0.0.1/' } },
      { code: 'http_status', class: 'invalid' },
    ],
    [
      { status: 200, text: 'x'.repeat(5_000_000) },
      { code: 'too_large', class: 'invalid' },
    ],
  ])('ends the run with %j as %j, without the key', async (fault, error) => {
    service.faults.push(fault);
    const failure = await failureOf(engine.translate(texts, intoJapanese), [deeplKey, service.url]);
    expect(failure).toMatchObject(error);
    expect(service.calls).toHaveLength(1);
  });

  it('reports a wrong key with its remedy, a pair that is not offered, and a server that does not answer', async () => {
    const other = openDeepl({ outbound: service.outbound(), url: service.url, key: 'another-key' });
    expect(await failureOf(other.translate(texts, intoJapanese), ['another-key'])).toMatchObject({
      code: 'auth',
      action: expect.stringContaining('BINDERY_DEEPL_KEY'),
    });
    const unknown = { pair: { source: 'en', target: 'fi' }, signal };
    expect(await failureOf(engine.translate(texts, unknown))).toMatchObject({ code: 'unsupported_language' });
    await service.close();
    expect(await failureOf(engine.translate(texts, intoJapanese), [service.url])).toMatchObject({
      code: 'connect',
      message: expect.stringMatching(/^DeepL cannot be asked\./),
    });
    service = await startDeeplService();
    await other.close();
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const asked = engine.translate(texts, { ...intoJapanese, signal: controller.signal });
    controller.abort(new Error('The job was cancelled.'));
    await expect(asked).rejects.toThrow('The job was cancelled.');
  });
});

it('asks the free host with a free key', () => {
  expect(deeplUrl('key:fx')).toBe('https://api-free.deepl.com');
  expect(deeplUrl('key')).toBe('https://api.deepl.com');
});

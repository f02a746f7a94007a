import { textOfParts } from '@bindery/translation';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf, textsOf } from '../../../../test/support/translation/engines/engineAnswers.ts';
import {
  libretranslateKey,
  limits,
  startLibretranslateService,
} from '../../../../test/support/translation/engines/libretranslateService.ts';
import type { TestService } from '../../../../test/support/translation/engines/testService.ts';
import { transliterated } from '../../../../test/support/translation/engines/transliterated.ts';
import type { Engine } from '../engine.ts';
import { openLibretranslate } from './libretranslate.ts';

const { signal } = new AbortController();
const intoArabic = { pair: { source: 'en', target: 'ar' }, signal };
const texts = Array.from(
  { length: 8 },
  (_, index) => `Read <g id="1">the page</g> ${index} of <x id="2"/> now.`,
);
const arabic = texts.map((text) => transliterated(text, 'ar'));
const slowdown = { status: 429, json: { error: 'Langsamer' } };

describe('LibreTranslate', () => {
  let service: TestService;
  let engine: Engine;
  const open = (key?: string) => openLibretranslate({ outbound: service.outbound(), url: service.url, key });
  beforeEach(async () => {
    service = await startLibretranslateService();
    engine = await open(libretranslateKey);
    service.calls.length = 0;
  });
  afterEach(async () => {
    vi.useRealTimers();
    await engine.close();
    await service.close();
  });
  const translate = async (some: readonly string[]) => textsOf(await engine.translate(some, intoArabic));
  const sizes = () => service.calls.map(({ body }) => (JSON.parse(body) as { q: string[] }).q.length);

  it('translates texts with placeholders, at most 25 at once', async () => {
    const many = Array.from({ length: 8 }, () => texts).flat();
    expect(await translate(many)).toEqual(many.map((text) => transliterated(text, 'ar')));
    expect(sizes()).toEqual([25, 25, 14]);
  });

  it.each([
    ['en', 'ja', 'ja'],
    ['en', 'pt-br', 'pt-BR'],
    ['en', 'zh', 'zh-Hans'],
    ['en', 'zh-tw', 'zh-Hant'],
    ['en', 'no', 'nb'],
  ] as const)('translates from %s into %s, which it names %s', async (source, target, code) => {
    expect(engine.route({ source, target })).toEqual([source, target]);
    await engine.translate(['A page'], { pair: { source, target }, signal });
    expect(JSON.parse(service.calls[0]?.body ?? '')).toMatchObject({ source, target: code });
  });

  it('has only the languages of the server', () => {
    expect(engine.route({ source: 'en', target: 'fi' })).toBeUndefined();
    expect(engine.route({ source: 'fi', target: 'en' })).toBeUndefined();
    expect(engine.route({ source: 'en', target: 'en' })).toBeUndefined();
  });

  it.each([
    'Write <b> and </b>',
    '<g id="1">',
    '</t><t id="0">',
    '<x id="3"/> & <x id="3"></x>',
    '&lt;b&gt; &amp;amp; &nbsp; &#60;',
    'AT&T, 3 < 4 > 2',
    'a\0b',
  ])('never makes a tag of the words %j', async (words) => {
    const text = textOfParts([{ tag: 'open', id: 1 }, words, { tag: 'close', id: 1 }]);
    const [answer = ''] = await translate([text]);
    const markup = /<[^<>]*>|&lt;[^<>]*?&gt;|&amp;#?\w+;/g;
    expect(answer.match(markup)).toEqual(text.match(markup));
    expect(answer).toMatch(/^<g id="1">[^<>]*<\/g>$/);
  });

  it('treats added markup as text', async () => {
    service.faults.push((answers) => answers.map((answer) => answer.replace('</t>', '<b>&lt;i> & more</t>')));
    expect(await translate(['A'])).toEqual(['ا&lt;b&gt;&lt;i&gt; &amp; more']);
  });

  it('finds the one text that it refuses, whatever the language of its error', async () => {
    const long = 'a '.repeat(limits.characters);
    const answers = await engine.translate([...texts, long], intoArabic);
    expect(answers.at(-1)).toMatchObject({ refused: expect.stringContaining('too long') });
    expect(textsOf(answers.slice(0, -1))).toEqual(arabic);
  });

  it('ends the run when the server refuses every text', async () => {
    const long = Array.from({ length: 12 }, () => 'a '.repeat(limits.characters));
    const failure = await failureOf(engine.translate(long, intoArabic));
    expect(failure).toMatchObject({ code: 'bad_content', class: 'invalid' });
  });

  it.each([
    ['reordered', (answers: string[]) => answers.toReversed()],
    ['shifted', (answers: string[]) => answers.map((_, index) => answers[index - 1] ?? '')],
    ['half', (answers: string[]) => answers.slice(0, 4)],
  ])('puts %s answers in their place, and requests missing answers again', async (_, fault) => {
    service.faults.push(fault);
    expect(await translate(texts)).toEqual(arabic);
  });

  it('sends nothing during a pause, which grows each time, so that the server never bans it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const minutes of [1, 2]) {
      service.faults.push(slowdown);
      const first = await failureOf(engine.translate(texts, intoArabic));
      expect(first).toMatchObject({ code: 'throttled', retryAfterMs: minutes * 60_000 });
      for (let again = 0; again < 5; again += 1)
        expect(await failureOf(engine.translate(texts, intoArabic))).toMatchObject({ code: 'throttled' });
      vi.setSystemTime(Date.now() + minutes * 60_000);
    }
    expect(await translate(texts)).toEqual(arabic);
    service.faults.push(slowdown);
    expect(await failureOf(engine.translate(texts, intoArabic))).toMatchObject({ retryAfterMs: 60_000 });
  });

  it.each([
    [{ status: 403 }, { code: 'auth', class: 'auth' }],
    [{ status: 500 }, { code: 'http_status', class: 'transient' }],
    [
      { status: 200, text: '{"translatedText":"one"}' },
      { code: 'bad_content', class: 'transient' },
    ],
  ])('ends the run with %j as %j, without the key', async (fault, error) => {
    service.faults.push(fault);
    const failure = await failureOf(engine.translate(texts, intoArabic), [libretranslateKey, service.url]);
    expect(failure).toMatchObject(error);
    expect(service.calls).toHaveLength(1);
  });

  it('does not open without the server, and names the remedy for a wrong key', async () => {
    const other = await open('another-key');
    expect(await failureOf(other.translate(texts, intoArabic), ['another-key'])).toMatchObject({
      code: 'auth',
      action: expect.stringContaining('BINDERY_LIBRETRANSLATE_KEY'),
    });
    await other.close();
    await service.close();
    expect(await failureOf(open(), [service.url])).toMatchObject({ code: 'connect' });
    service = await startLibretranslateService();
  });
});

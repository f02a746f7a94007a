import { textOfParts } from '@bindery/translation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deadly, startApyService } from '../../../../test/support/translation/engines/apyService.ts';
import { failureOf, textsOf } from '../../../../test/support/translation/engines/engineAnswers.ts';
import type { TestService } from '../../../../test/support/translation/engines/testService.ts';
import { transliterated } from '../../../../test/support/translation/engines/transliterated.ts';
import type { Engine } from '../engine.ts';
import { openApy } from './apy.ts';

const { signal } = new AbortController();
const intoGerman = { pair: { source: 'en', target: 'de' }, signal };
const texts = Array.from(
  { length: 8 },
  (_, index) => `Read <g id="1">the page</g> ${index} of <x id="2"/> now.`,
);
const german = texts.map((text) => transliterated(text, 'de'));

describe('Apertium APy', () => {
  let service: TestService;
  let engine: Engine;
  beforeEach(async () => {
    service = await startApyService();
    engine = await openApy({ outbound: service.outbound(), url: service.url });
    service.calls.length = 0;
  });
  afterEach(async () => {
    await engine.close();
    await service.close();
  });
  const translate = async (some: readonly string[]) => textsOf(await engine.translate(some, intoGerman));
  const queries = () => service.calls.map(({ body }) => new URLSearchParams(body).get('q') ?? '');

  it('translates texts with placeholders, several at once', async () => {
    expect(await translate(texts)).toEqual(german);
    expect(queries()).toHaveLength(1);
  });

  it('has the pairs of the server, and others through Spanish', async () => {
    expect(engine.route({ source: 'en', target: 'es' })).toEqual(['en', 'es']);
    expect(engine.route({ source: 'en', target: 'pt-br' })).toEqual(['en', 'es', 'pt-br']);
    expect(engine.route({ source: 'de', target: 'en' })).toBeUndefined();
    await engine.translate(texts, { pair: { source: 'en', target: 'fr' }, signal });
    expect(service.calls.map(({ body }) => new URLSearchParams(body).get('langpair'))).toEqual([
      'eng|spa',
      'spa|fra',
    ]);
  });

  it('counts unknown words, and keeps the stars of the source', async () => {
    const [answer] = await engine.translate(['The blargify 2*3, *one*'], intoGerman);
    expect(answer).toEqual({ text: 'Thë blargify 2*3, *önë*', unknownWords: 1 });
    const chained = { pair: { source: 'en', target: 'fr' }, signal };
    expect(await engine.translate(['The blargify 2*3'], chained)).toEqual([
      { text: 'The blargify 2*3', unknownWords: 1 },
    ]);
  });

  it('sends at most 1,000 characters of several texts at once, and refuses a text that is too long', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `${'words '.repeat(12)}${index}.`);
    const long = 'long '.repeat(300);
    expect(await translate([...many, long])).toEqual(
      [...many, long.trim()].map((text) => transliterated(text, 'de')),
    );
    const lengths = queries().map((query) => query.length);
    expect(Math.max(...lengths.slice(0, -1))).toBeLessThanOrEqual(1_000);
    expect(await engine.translate(['漢字'.repeat(700)], intoGerman)).toEqual([
      { refused: 'The text is too long for Apertium APy.' },
    ]);
  });

  it.each([
    'a [b] ^c$ {d} \\ / @e <f>',
    '[<q0>]',
    '[[t:x:1]]word[[/]]',
    'OK.',
    'One. Two.',
    '[<x1>]',
    'a\0b',
  ])('keeps the words %j in their place', async (words) => {
    const text = textOfParts([words]);
    const answers = await translate(['First.', text, 'Last.']);
    expect(answers.with(1, '')).toEqual(['Fïrst.', '', 'Läst.']);
    expect(answers[1]?.length).toBeGreaterThan(0);
  });

  it('finds the one text that ends its pipeline', async () => {
    const answers = await engine.translate(texts.with(3, `One ${deadly} word`), intoGerman);
    expect(answers[3]).toEqual({ refused: 'Apertium APy cannot process the text.' });
    expect(textsOf(answers.toSpliced(3, 1))).toEqual(german.toSpliced(3, 1));
  });

  it('ignores answers that belong to an earlier request', async () => {
    const late: string[] = [];
    const oneLate = (answers: string[]) => {
      const answer = [...late];
      late.splice(0, late.length, ...answers);
      return answer;
    };
    service.faults.push(oneLate, oneLate);
    expect(await translate(texts.slice(0, 4))).toEqual(german.slice(0, 4));
    service.faults.push(oneLate);
    expect(await translate(texts.slice(4))).toEqual(german.slice(4));
  });

  it('asks again for texts that are missing in an answer', async () => {
    service.faults.push((answers) => answers.map((answer) => answer.slice(0, answer.length / 2)));
    expect(await translate(texts)).toEqual(german);
    expect(queries()).toHaveLength(2);
  });

  it.each([
    [{ status: 400 }, { code: 'unsupported_language' }],
    [{ status: 429 }, { code: 'throttled' }],
    [{ status: 500 }, { code: 'http_status', class: 'transient' }],
  ])('ends the run with %j as %j', async (fault, error) => {
    service.faults.push(fault);
    expect(await failureOf(engine.translate(texts, intoGerman), [service.url])).toMatchObject(error);
  });

  it('does not open without the server', async () => {
    const outbound = service.outbound();
    await service.close();
    expect(await failureOf(openApy({ outbound, url: service.url }), [service.url])).toMatchObject({
      code: 'connect',
    });
    await outbound.close();
    service = await startApyService();
  });
});

import { textOfParts } from '@bindery/translation';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { apertiumPrograms } from '../../../../test/support/translation/engines/apertiumPrograms.ts';
import type { Engine, EngineAnswer } from '../engine.ts';
import { openApertium } from './apertium.ts';
import { apertiumPackages } from './modes.ts';

const pair = { source: 'en', target: 'es' };
const { signal } = new AbortController();
const textOf = (answer: EngineAnswer | undefined) => (answer && 'text' in answer ? answer.text : undefined);

describe('Apertium', { timeout: 120_000 }, () => {
  let engine: Engine;
  beforeAll(async () => {
    const opened = await openApertium({ root: '/' });
    if (!opened) throw new Error(`Install Apertium: apt-get install ${apertiumPackages.join(' ')}`);
    engine = opened;
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => engine.close());

  it('ends its programs after a minute without requests, and starts them again on demand', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const ask = async () => (await engine.translate(['A house.'], { pair, signal })).map(textOf);
    expect(await ask()).toEqual(['Una casa.']);
    expect(apertiumPrograms()).not.toEqual([]);
    vi.advanceTimersByTime(60_000);
    // Asked while they end: neither lost nor refused.
    expect(await ask()).toEqual(['Una casa.']);
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(() => expect(apertiumPrograms()).toEqual([]), { timeout: 20_000 });
    expect(await ask()).toEqual(['Una casa.']);
  });

  it('translates texts, and formatting follows its words', async () => {
    const answers = await engine.translate(
      ['This is <g id="1">a blue house</g>.', 'Press <x id="1"/> now.', 'Read the blargify'],
      { pair, signal },
    );
    expect(answers).toEqual([
      { text: 'Esto es <g id="1">una casa azul</g>.', unknownWords: 0 },
      { text: 'Prensa <x id="1"/> ahora.', unknownWords: 0 },
      { text: expect.stringMatching(/ blargify$/), unknownWords: 1 },
    ]);
  });

  it('keeps words with hyphens apart, and formatting at a contraction', async () => {
    const asked = [
      'This is a well-formed curl request.',
      'Read <g id="1">the <g id="2">book of the</g> king</g> and front-end notes.',
    ];
    for (const target of ['es', 'fr']) {
      const answers = await engine.translate(asked, { pair: { source: 'en', target }, signal });
      expect(textOf(answers[0])).toMatch(/ bien form/);
      expect(textOf(answers[1])).toMatch(/<g id="1">.*<g id="2">.*<\/g>.*<\/g>/);
    }
  });

  it('adds no marks to words, and keeps quotation marks apart from apostrophes', async () => {
    const asked = [
      'Tell @channel in ~5 days',
      'Turn on 2FA',
      "Select 'My house' here.",
      "Set 'mainnet' now.",
      'It is a custom house',
    ];
    const answers = await engine.translate(asked, { pair, signal });
    expect(answers.map(textOf)).toEqual([
      expect.stringMatching(/ @\S.* ~5 /),
      expect.stringMatching(/ 2FA\b/),
      "Seleccionar 'Mi casa' aquí.",
      expect.stringContaining("'mainnet'"),
      'Es una casa hecha de encargo',
    ]);
  });

  it.for([
    ['es', ['en', 'es'], 'casa azul'],
    ['fr', ['en', 'es', 'fr'], 'maison bleue'],
    ['it', ['en', 'es', 'it'], 'casa blu'],
    ['pt', ['en', 'es', 'pt'], 'casa azul'],
  ] as const)('translates English into %s by way of %s', async ([target, route, words]) => {
    expect(engine.route({ source: 'en', target })).toEqual(route);
    const [answer] = await engine.translate(['This is <g id="1">a blue house</g> of <x id="2"/>the king.'], {
      pair: { source: 'en', target },
      signal,
    });
    expect(textOf(answer)).toMatch(new RegExp(`<g id="1">.*${words}</g>.*<x id="2"/>`));
  });

  it('has no route to a language that is not installed, or that it translates only in part', () => {
    for (const target of ['de', 'ja', 'hr', 'en'])
      expect(engine.route({ source: 'en', target })).toBeUndefined();
  });

  it('answers 1,500 hostile texts, each in its place', async () => {
    const texts = Array.from({ length: 1_500 }, (_, index) => textOfParts([hostile(index)]));
    for (const target of ['es', 'fr']) {
      const answers = await engine.translate(texts, { pair: { source: 'en', target }, signal });
      const misplaced = answers.filter((answer, index) => !textOf(answer)?.includes(`z${index}z`));
      expect(misplaced).toEqual([]);
    }
  });

  it('refuses texts that would take too long', async () => {
    const answers = await engine.translate(['a'.repeat(3_000), 'a b '.repeat(6_000), 'A house.'], {
      pair,
      signal,
    });
    expect(answers.map((answer) => 'refused' in answer)).toEqual([true, true, false]);
  });

  it('continues when its programs are killed, and answers every text', async () => {
    const texts = Array.from({ length: 400 }, (_, index) => `The house number ${index} is blue.`);
    const asked = engine.translate(texts, { pair, signal });
    const [program] = apertiumPrograms();
    process.kill(program?.pid as number, 'SIGKILL');
    const answers = await asked;
    expect(answers.map(textOf)).toEqual(texts.map((_, index) => `El número de casa ${index} es azul.`));
  });

  it('leaves no process', async () => {
    await engine.close();
    expect(apertiumPrograms()).toEqual([]);
    await expect(engine.translate(['A house.'], { pair, signal })).rejects.toThrow('was stopped');
  });
});

const fragments = [
  ...[
    'the',
    'house',
    '[[t:x:1]]',
    '[[/]]',
    '[<q3>]',
    '.',
    '\\',
    '^a<n>$',
    '</s>',
    'http://a.b/c',
    '$1',
    '%s',
  ],
  ...['[', '] [', '{{x}}', '{% hint %}', 'OK.', '…', '*', '^', '$', '@', '/', '<', '>', '\0', '\n', '\u00a0'],
  ...['é', '漢字', '😀', '\u200b', '\ufffd', '"', '`', '~', '|', '&', '12,000.50', 'X'.repeat(500)],
];

/** A text that depends on its number only, which it names. */
function hostile(index: number): string {
  let state = index + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  const pieces = Array.from({ length: 1 + (next() % 20) }, () => fragments[next() % fragments.length]);
  return `${pieces.join(next() % 2 ? ' ' : '')} z${index}z`;
}

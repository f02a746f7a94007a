import { expect, it } from 'vitest';
import { pseudoLocaleEngine } from './pseudoLocaleEngine.ts';

const pair = { source: 'en', target: 'ja' };

it('answers each text in its place, for a pair that no dictionary knows', async () => {
  const { signal } = new AbortController();
  const texts = ['Read <g id="1">the guide</g>', '', 'v1.5'];
  expect(await pseudoLocaleEngine.translate(texts, { pair, signal })).toEqual([
    { text: '⟦Ŕéáď <g id="1">ťĥé ğúíďé</g>·····⟧' },
    { text: '⟦⟧' },
    { text: '⟦v1.5··⟧' },
  ]);
  expect(pseudoLocaleEngine.route(pair)).toEqual(['en', 'ja']);
});

it('has a name that distinguishes its texts from translations', () => {
  expect(pseudoLocaleEngine.name).toBe('pseudo-locale');
});

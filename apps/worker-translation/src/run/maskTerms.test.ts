import { glossaryOf, partsOfText, termsIn } from '@bindery/translation';
import { expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { maskTerms, unmaskTerms } from './maskTerms.ts';

const term = (source: string) => ({ source, target: `(${source})` });

it.each([
  ['A space', ['space'], 'A <x id="9000"/>'],
  ['Spaces, <g id="1">Space</g>', ['space'], 'Spaces, <g id="1"><x id="9000"/></g>'],
  ['a+b (c) &lt;', ['a+b', '(c)', '<'], '<x id="9000"/> <x id="9001"/> <x id="9002"/>'],
  // The longest one at a place, in whatever order they are.
  ['Change a change request', ['change', 'change request'], '<x id="9000"/> a <x id="9001"/>'],
])('masks in %j the terms %j', (text, sources, masked) => {
  const terms = sources.map(term);
  expect(maskTerms(text, terms)).toBe(masked);
  expect(maskTerms(unmaskTerms(masked, terms), [])).toBe(unmaskTerms(masked, terms));
});

it('masks thousands of terms in one text within a moment, and numbers no placeholder with five digits', () => {
  const sources = Array.from({ length: 3_300 }, (_, index) => `t${index.toString(36).padStart(3, '0')}`);
  const text = sources.join(' ');
  const terms = termsIn(partsOfText(text) ?? [], glossaryOf(sources.map(term)));
  expect(terms).toHaveLength(3_300);
  const begun = performance.now();
  const masked = maskTerms(text, terms);
  expect(performance.now() - begun).toBeLessThan(bound(1_000));
  expect(partsOfText(masked)?.filter((part) => typeof part !== 'string')).toHaveLength(1_000);
  expect(unmaskTerms(masked, terms)).toContain('(t000) (t001)');
});

import { describe, expect, it } from 'vitest';
import { pseudoLocale } from './pseudoLocale.ts';

describe('the pseudo-locale', () => {
  it.each([
    ['Reading', '⟦Ŕéáďíñğ···⟧'],
    [
      'Run <x id="1"/> in <g id="2">v1.5 &lt;b&gt;</g>',
      '⟦Ŕúñ <x id="1"/> íñ <g id="2">v1.5 &lt;b&gt;</g>·····⟧',
    ],
    ['日本', '⟦日本·⟧'],
    ['not <b>a text', 'not <b>a text'],
  ])('of %j is %j', (text, wanted) => {
    expect(pseudoLocale(text)).toBe(wanted);
  });
});

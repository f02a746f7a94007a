import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords } from './countWords.ts';
import { partsOfText, textOfParts, type Part } from './parts.ts';

describe('the text of parts', () => {
  it('reads back as the parts that it was written from', () => {
    const pair = (inside: Part[], id: number): Part[] => [
      { tag: 'open', id },
      ...inside,
      { tag: 'close', id },
    ];
    const words = fc.string({ unit: 'grapheme', minLength: 1 });
    const parts = fc.oneof(
      words.map((text): Part[] => [text]),
      fc.tuple(words, fc.nat(9999)).map(([text, id]): Part[] => [text, { tag: 'atom', id }]),
      fc
        .tuple(words, fc.nat(99), fc.nat(99))
        .map(([text, id, other]) => pair([...pair([text], id), { tag: 'atom', id: other }], other)),
    );
    fc.assert(
      fc.property(parts, (given) => {
        expect(partsOfText(textOfParts(given))).toEqual(given);
      }),
    );
  });

  it.each([
    '<g id="1">a',
    'a</g>',
    '<x id="1">',
    '<b>',
    'a < b',
    'a > b',
    'AT&T',
    '&nbsp;',
    '<g id="1"/>',
    '<x id="12345"/>',
  ])('is not %j', (text) => {
    expect(partsOfText(text)).toBeUndefined();
  });
});

describe('the number of words', () => {
  it.each([
    ['Read the guide, twice.', 4],
    ['Run <x id="1"/>2 times <g id="2">now</g>', 4],
    ['bo<g id="1">ld</g>', 1],
    ['これは日本語の文章です', 6],
    ['– … !', 0],
  ])('in %j is %i', (text, count) => {
    expect(countWords(partsOfText(text) ?? [])).toBe(count);
  });
});

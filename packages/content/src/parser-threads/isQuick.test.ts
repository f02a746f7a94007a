import { describe, expect, it } from 'vitest';
import { isQuickToParse, isQuickToWrite } from './isQuick.ts';
import { emptyDocument } from '@bindery/contract';

describe('a text that is parsed on the main thread', () => {
  it.each([
    ['a comment', 'Looks good to me, but see `packages/content` and [the page](page.md).\n\n- one\n- two\n'],
    ['a short page', `# Title\n\n${'Some words with a [link](page.md) and *emphasis*.\n\n'.repeat(15)}`],
    ['words', 'word '.repeat(400)],
  ])('is %s', (_what, text) => {
    expect(isQuickToParse(text)).toBe(true);
  });

  it.each([
    ['brackets', '['.repeat(500)],
    ['words behind a bracket', `[${' a'.repeat(1_000)}`],
    ['runs of backticks', Array.from({ length: 40 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['many words', 'word '.repeat(500)],
  ])('is not one of %s', (_what, text) => {
    expect(isQuickToParse(text)).toBe(false);
  });
});

describe('a tree that is written on the main thread', () => {
  const paragraph = (text: string) => ({
    object: 'block' as const,
    type: 'paragraph' as const,
    nodes: [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] }],
  });
  it('is small', () => {
    const of = (...texts: string[]) => isQuickToWrite({ ...emptyDocument, nodes: texts.map(paragraph) });
    expect(of('a', 'b')).toBe(true);
    expect(of('a'.repeat(20_000))).toBe(false);
    expect(of(...Array.from({ length: 500 }, () => 'a'))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { glossaryOf, termsIn } from './glossary.ts';
import { partsOfText } from './parts.ts';

const glossary = glossaryOf([
  { source: 'space', target: 'Bereich' },
  { source: 'Change Request', target: 'Änderung' },
  { source: 'change', target: 'ändern' },
  { source: '…', target: 'nothing' },
]);

describe('the terms of a glossary', () => {
  it.each([
    ['Open a change request in this Space', ['Änderung', 'Bereich']],
    ['Spaces change', ['ändern']],
    ['A <g id="1">change</g> <x id="2"/> request', ['ändern']],
    ['space, space', ['Bereich']],
    ['none', []],
  ])('found in %j are %j', (text, targets) => {
    expect(termsIn(partsOfText(text) ?? [], glossary).map(({ target }) => target)).toEqual(targets);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { withoutConditional } from './withoutConditional.ts';

describe('withoutConditional', () => {
  it.each([
    ['a {% if x %}b{% endif %} c', 'a  c'],
    ['a {% if x %}b{%- if y %}c{% endif -%}d{% endif %} e', 'a  e'],
    ['a {% if x %}b', 'a '],
    ['a{% endif %}b', 'ab'],
    ['a {% if x { % } %%}b{%endif%}c', 'a c'],
    ['a {% iffy %}b {% hint %}c', 'a {% iffy %}b {% hint %}c'],
    ['a {% if x', 'a {% if x'],
    ['a {% if x %}b{% endif', 'a '],
  ])('reduces %j to %j', (source, shown) => {
    expect(withoutConditional(source)).toBe(shown);
  });

  it('removes the content between tags at any depth', () => {
    const pieces = fc.array(
      fc.constantFrom('{% if ', '{%-if', '{% endif', '{%', '%}', '%', '}', 'if', '\n', ' ', 'a'),
      { maxLength: 25 },
    );
    fc.assert(fc.property(pieces, (given) => withoutConditional(given.join('')) === slowly(given.join(''))));
  });

  it.each(['{% if ', '{% endif', '{%', '{% if %', '{% if %}', '{%      ', 'if'])(
    'takes linear time for repetitions of %j',
    (piece) => {
      const source = piece.repeat(1_000_000 / piece.length);
      const startMs = performance.now();
      withoutConditional(source);
      expect(performance.now() - startMs).toBeLessThan(bound(500));
    },
  );
});

/** A reference implementation with one regular expression, which takes quadratic time. */
function slowly(markdown: string): string {
  let shown = '';
  let position = 0;
  let depth = 0;
  for (const { 0: text, 1: name, index } of markdown.matchAll(/\{%-?\s*(if|endif)\b(?:[^%]|%(?!\}))*%\}/g)) {
    if (depth === 0) shown += markdown.slice(position, index);
    depth = name === 'if' ? depth + 1 : Math.max(0, depth - 1);
    position = index + text.length;
  }
  return depth === 0 ? shown + markdown.slice(position) : shown;
}

import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { evaluateDocument } from '../document/evaluateDocument.ts';
import { blockTagAt, tagTargets } from './tagTargets.ts';
import { withoutDescriptor } from './withoutDescriptor.ts';

describe('the target of a tag', () => {
  it.each([
    ['{% file src="a.pdf" %}', ['a.pdf']],
    ['{%-content-ref url="a.md" -%}', ['a.md']],
    ['{%file%} {% embed url="https://a.test" %}', ['https://a.test']],
    ['{% file src="a.pdf" {% file src="b.pdf" %}', ['b.pdf']],
  ])('in %j is found', (text, targets) => {
    expect(tagTargets(text).map(({ target }) => target)).toEqual(targets);
  });

  it.each([
    ['a.png 2x', 'a.png'],
    ['a, b.png  100.5w ', 'a, b.png'],
    ['a2x', 'a2x'],
    ['2x', '2x'],
    ['a.png', 'a.png'],
  ])('of a source %j is %j', (srcset, source) => {
    expect(withoutDescriptor(srcset)).toBe(source);
  });

  it.each([
    ['a name that never ends', () => blockTagAt(`{%${'a'.repeat(500_000)}`, 0)],
    ['spaces that never end', () => blockTagAt(`{%${' '.repeat(500_000)}`, 0)],
    ['spaces in a source', () => withoutDescriptor(`a${' '.repeat(500_000)}b`)],
    [
      'a condition of quotes',
      () => evaluateDocument(documentWithCondition("'\\".repeat(250_000)), { claims: {} }),
    ],
  ])('is read in linear time: %s', (_what, read) => {
    const startMs = performance.now();
    read();
    expect(performance.now() - startMs).toBeLessThan(bound(300));
  });
});

function documentWithCondition(expression: string): Parameters<typeof evaluateDocument>[0] {
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [{ object: 'block', type: 'if', isVoid: false, key: 'if', data: { expression }, nodes: [] }],
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { trimmedEnd, trimmedSides } from './trimCharacters.ts';

describe('trimmed texts', () => {
  it('match the result of a regular expression', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '.', 'a', ' ') }), (text) => {
        expect(trimmedEnd(text, '/.')).toBe(text.replace(/[/.]+$/, ''));
        expect(trimmedSides(text, '/.')).toBe(text.replace(/^[/.]+|[/.]+$/g, ''));
      }),
    );
  });

  it('take linear time', () => {
    const text = `a${'/'.repeat(1_000_000)}a`;
    const startMs = performance.now();
    expect(trimmedSides(text, '/')).toBe(text);
    expect(performance.now() - startMs).toBeLessThan(bound(200));
  });
});

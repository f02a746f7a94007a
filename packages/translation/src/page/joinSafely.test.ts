import { describe, expect, it } from 'vitest';
import { joinSafely } from './joinSafely.ts';
import { segmentPage } from './segmentPage.ts';

describe('a safely joined page', () => {
  it('keeps the source of a segment whose translation would change the shape of the page', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `Line [a](a${index}.md) and [b](b${index}.md)\n`);
    const page = segmentPage(new TextEncoder().encode(lines.join('\n')));
    // A link cannot contain another one.
    const nested = '<g id="1">A und <g id="2">B</g></g>';
    const good = 'Zeile <g id="1">A</g> und <g id="2">B</g>';
    const translations = new Map(
      lines.map((_, index) => [index, index === 3 || index === 8 ? nested : good]),
    );
    const { file, refused } = joinSafely(page, translations);
    expect(refused).toEqual([3, 8]);
    expect(new TextDecoder().decode(file).split('\n\n')).toEqual(
      lines.map((line, index) =>
        refused.includes(index)
          ? line.replace(/\n$/, index === 8 ? '\n' : '')
          : `Zeile [A](a${index}.md) und [B](b${index}.md)`,
      ),
    );
  });

  it.each([
    String.raw`House 1 is \{% endhint %} here`,
    String.raw`Write \{{ name }} here`,
    String.raw`Type \:smile: here`,
  ])('keeps the escapes of its source: %s', (source) => {
    const page = segmentPage(new TextEncoder().encode(source));
    const [segment] = page.segments;
    const { file } = joinSafely(page, new Map([[0, segment?.text.replace('here', 'there') ?? '']]));
    expect(new TextDecoder().decode(file)).toBe(source.replace('here', 'there'));
  });

  it('is the page itself without translations', () => {
    const page = segmentPage(new TextEncoder().encode('a'));
    expect(joinSafely(page, new Map())).toEqual({ file: page.file, refused: [] });
  });
});

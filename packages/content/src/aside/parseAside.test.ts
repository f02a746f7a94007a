import { describe, expect, it } from 'vitest';
import { parseDocument } from '../document/parseDocument.ts';
import { parseAside } from './parseAside.ts';

describe('parsing on another thread', () => {
  it('gives what parsing here gives, many texts at once', async () => {
    const texts = Array.from({ length: 40 }, (_, i) =>
      `## Heading ${i}\n\nSome *text* with a [link](page-${i}.md).\n`.repeat(1 + (i % 3) * 200),
    );
    expect(await Promise.all(texts.map(parseAside))).toEqual(texts.map(parseDocument));
  });

  it('keeps this thread free', async () => {
    const slow = '- a\n'.repeat(9_000);
    const parsing = parseAside(slow);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const tree = await parsing;
    clearInterval(timer);
    expect(tree?.object).toBe('document');
    expect(ticks).toBeGreaterThan(3);
  });
});

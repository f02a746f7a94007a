import { describe, expect, it } from 'vitest';
import { metaLinksOf } from './metaLinks.ts';

const of = (yaml: string) => metaLinksOf(Buffer.from(`---\n${yaml}\n---\n`));

describe('the meta links of a page', () => {
  it('are read from the frontmatter', () => {
    expect(
      of(
        'metaLinks:\n  canonical: https://example.org/a\n  alternates:\n    - https://example.org/b\n    - ../c.md',
      ),
    ).toEqual({
      canonical: 'https://example.org/a',
      alternates: ['https://example.org/b', '../c.md'],
    });
    expect(of('metaLinks:\n  alternates: https://example.org/b')).toEqual({
      alternates: ['https://example.org/b'],
    });
  });

  it.each([
    'title: x',
    'metaLinks:',
    'metaLinks: x',
    'metaLinks: [a]',
    'metaLinks:\n  canonical: {}\n  alternates: [{}, "", null]',
    'a: [',
    '',
  ])('are empty for %j', (yaml) => {
    expect(of(yaml)).toEqual({ alternates: [] });
  });

  it('are limited in number and length', () => {
    expect(
      of(`metaLinks:\n  alternates: [${Array.from({ length: 500 }, (_, i) => `a${i}`).join(', ')}]`)
        .alternates,
    ).toHaveLength(100);
    expect(of(`metaLinks:\n  canonical: ${'x'.repeat(3000)}`)).toEqual({ alternates: [] });
  });
});

import { globSync, readFileSync } from 'node:fs';
import { pageShape, segmentPage } from '@bindery/translation';
import { describe, expect, it } from 'vitest';
import { translatePage } from './translation.ts';

const files = globSync('{docs,test/fixtures/pages}/**/*.md').concat('README.md', 'ARCHITECTURE.md');

it('a page has the same shape from its parsed segments as from its text', () => {
  for (const file of files) {
    const { shape, body } = segmentPage(readFileSync(file), { withShape: true });
    expect({ file, shape }).toEqual({ file, shape: pageShape(body) });
  }
});

describe('a run of the pseudo-locale', () => {
  it('keeps the shape of each page, and translates each text once', () => {
    const memory = new Map<string, string>();
    for (const file of files) {
      const bytes = readFileSync(file);
      const first = translatePage(bytes, memory);
      expect({ file, ...first }).toMatchObject({ file, isKept: true, changed: [], refused: 0 });
      const again = translatePage(bytes, memory);
      expect(again.statistics).toMatchObject({ new: { segments: 0 }, memory: { words: first.words } });
    }
    expect(memory.size).toBeGreaterThan(500);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { openApertium } from '@bindery/engines';
import { pageShape } from '@bindery/translation';
import { eld } from 'eld/medium';
import { expect } from 'vitest';
import { countWordsOf, textsOfMarkdown } from '../../support/translation/countWords.ts';
import { it } from '../../support/translation/translating.ts';

// Without generated pages, which are long and repeat the same texts.
const files = globSync(['docs/*.md', 'docs/design/*.md', '*.md'], {
  exclude: ['docs/permissions.md'],
}).sort();
const sources = files.map((file) => readFileSync(file, 'utf8'));
const idOf = (index: number) => `page${index}`;

it(
  'translates the documentation of this project with Apertium, and keeps the shape of each page',
  { timeout: 300_000 },
  async ({ translated, engine }) => {
    const apertium = await openApertium({ root: '/' });
    if (!apertium) throw new Error('Install Apertium.');
    Object.assign(engine.wrapped, apertium);
    const one = await translated(
      sources.map((source, index) => ({ id: idOf(index), title: `Page number ${index}`, source })),
    );
    await apertium.close();
    expect(one.first).toMatchObject({ state: 'succeeded', result: { engine: 'apertium', kept: [] } });

    for (const [index, source] of sources.entries()) {
      const { text } = await one.page(idOf(index));
      const file = files[index];
      expect({ file, ...pageShape(text) }).toEqual({ file, ...pageShape(source) });
      const texts = textsOfMarkdown(text);
      const language = texts.length < 10 ? 'es' : eld.detect(texts.join('\n')).language;
      expect({ file, language }).toEqual({ file, language: 'es' });
    }

    const titles = sources.map((_, index) => `Page number ${index}`);
    const wordsOf = one.first.stats.words;
    expect(await one.show()).toMatchObject({
      stats: { runs: 1, latestPages: files.length, totalPages: files.length, latestWords: wordsOf },
    });
    expect(wordsOf).toBe(countWordsOf([...titles, ...sources.flatMap(textsOfMarkdown)]));
  },
);

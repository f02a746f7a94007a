import { globSync, readFileSync } from 'node:fs';
import { openApertium } from '@bindery/engines';
import { pageShape } from '@bindery/translation';
import { eld } from 'eld/medium';
import { expect } from 'vitest';
import { countWordsOf, textsOfMarkdown } from '../../support/translation/countWords.ts';
import { it as base } from '../../support/translation/translating.ts';

// Without generated pages, which are long and repeat the same texts.
const files = globSync(['docs/*.md', 'docs/design/*.md', '*.md'], {
  exclude: ['docs/permissions.md'],
}).sort();
const sources = files.map((file) => readFileSync(file, 'utf8'));
const idOf = (index: number) => `page${index}`;

/** The worker's engine is Apertium. */
const it = base.extend('apertium', async ({ engine }, { onCleanup }) => {
  const apertium = await openApertium({ root: '/' });
  if (!apertium) throw new Error('Install Apertium.');
  Object.assign(engine.wrapped, apertium);
  onCleanup(() => apertium.close());
  return apertium;
});

it(
  'translates the documentation of this project with Apertium, and keeps the shape of each page',
  { timeout: 300_000 },
  async ({ translated, apertium: _used }) => {
    const one = await translated(
      sources.map((source, index) => ({ id: idOf(index), title: `Page number ${index}`, source })),
    );
    expect(one.first).toMatchObject({ state: 'succeeded', result: { engine: 'apertium', kept: [] } });

    await expectPages(one, 'es', sources);

    const titles = sources.map((_, index) => `Page number ${index}`);
    const wordsOf = one.first.stats.words;
    expect(await one.show()).toMatchObject({
      stats: { runs: 1, latestPages: files.length, totalPages: files.length, latestWords: wordsOf },
    });
    expect(wordsOf).toBe(countWordsOf([...titles, ...sources.flatMap(textsOfMarkdown)]));
  },
);

it.for(['fr', 'it', 'pt'])(
  'translates pages into %s via Spanish, and keeps the shape of each',
  { timeout: 120_000 },
  async (language, { translated, apertium: _used }) => {
    const some = sources.slice(0, 4);
    const one = await translated(
      some.map((source, index) => ({ id: idOf(index), title: `Page number ${index}`, source })),
      { language },
    );
    expect(one.first).toMatchObject({
      state: 'succeeded',
      result: { engine: 'apertium', route: ['en', 'es', language], kept: [] },
    });
    await expectPages(one, language, some);
  },
);

type Translated = { page(id: string): Promise<{ text: string }> };

/** Compares each page with its source: the same shape, and in the language when it has ten texts. */
async function expectPages(
  { page }: Translated,
  language: string,
  originals: readonly string[],
): Promise<void> {
  for (const [index, source] of originals.entries()) {
    const { text } = await page(idOf(index));
    const file = files[index];
    expect({ file, ...pageShape(text) }).toEqual({ file, ...pageShape(source) });
    const texts = textsOfMarkdown(text);
    if (texts.length < 10) continue;
    const detected = eld.detect(texts.join('\n')).language;
    expect({ file, language: detected }).toEqual({ file, language });
  }
}

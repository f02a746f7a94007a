import { describe, expect, it } from 'vitest';
import { readingsOf } from './searchTerms.ts';
import { weighWords, type SearchableText } from './weigh.ts';

const weightOf = (word: string, page: Partial<SearchableText>) => {
  const found = weighWords({ title: 'Page', sections: [], ...page }).find((entry) =>
    entry.startsWith(`${word} `),
  );
  return Number(found?.split(' ')[1] ?? 0);
};
const section = (title: string, text = '') => ({ title, text });

describe('the weight of a word', () => {
  it('is highest in the title, then in a heading, then in the text, regardless of its frequency', () => {
    const inTitle = weightOf('config', { title: 'A title of many words about the config' });
    const inHeadings = weightOf('config', {
      sections: [section('Config and config', 'config '.repeat(500)), section('Config')],
    });
    const inText = weightOf('config', { sections: [section('', 'config '.repeat(500))] });
    expect(inTitle).toBeGreaterThan(inHeadings);
    expect(inHeadings).toBeGreaterThan(inText);
    expect(inText).toBeGreaterThan(
      weightOf('config', { sections: [section('', `config ${'word '.repeat(500)}`)] }),
    );
  });

  it('is higher in a title without other words', () => {
    expect(weightOf('install', { title: 'Install' })).toBeGreaterThan(
      weightOf('install', { title: 'Install the server on Linux' }),
    );
  });

  it('is as low as in the text for a part of an identifier in the title', () => {
    expect(weightOf('state', { title: 'useState' })).toBeLessThan(100);
    expect(weightOf('usestate', { title: 'useState' })).toBeGreaterThan(600);
  });

  it('is deterministic, and sorted in descending order', () => {
    const page = { title: 'B a', sections: [section('c', 'z y x x')] };
    expect(weighWords(page)).toEqual(weighWords(page));
    expect(weighWords(page).map((entry) => entry.split(' ')[0])).toEqual(['a', 'b', 'c', 'x', 'y', 'z']);
  });

  it('is stored for the heaviest of thousands of words', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `word${i}`).join(' ');
    const words = weighWords({ title: 'Glossary', sections: [section('', text)] });
    expect(words).toHaveLength(4_000);
    expect(words[0]).toMatch(/^glossary /);
  });
});

describe('the readings of a query', () => {
  it('range from all words as typed, over all as prefixes, to any as prefixes', () => {
    expect(readingsOf('Größen configurations')).toEqual([
      {
        mustHold: 'all',
        terms: [[{ text: 'größen', isPrefix: false }], [{ text: 'configurations', isPrefix: true }]],
      },
      {
        mustHold: 'all',
        terms: [[{ text: 'gross', isPrefix: true }], [{ text: 'configurat', isPrefix: true }]],
      },
      {
        mustHold: 'any',
        terms: [[{ text: 'gross', isPrefix: true }], [{ text: 'configurat', isPrefix: true }]],
      },
    ]);
  });

  it('split identifiers when the whole is not found', () => {
    expect(readingsOf('userById')[1]?.terms).toEqual([
      [{ text: 'user', isPrefix: false }],
      [{ text: 'by', isPrefix: false }],
      [{ text: 'id', isPrefix: true }],
    ]);
  });

  it('are a single one for a simple word, and none for a query without words', () => {
    expect(readingsOf('v2')).toHaveLength(1);
    expect(readingsOf('???')).toEqual([]);
  });

  it('have a limited number of words', () => {
    const query = Array.from({ length: 250 }, (_, i) => i).join(' ');
    expect(readingsOf(query).map(({ terms }) => terms.length)).toEqual([16, 16]);
  });
});

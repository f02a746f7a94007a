import {
  checkTranslation,
  countWords,
  glossaryOf,
  joinPage,
  joinSafely,
  pageShape,
  pseudoLocale,
  pseudoLocaleName,
  segmentKey,
  segmentPage,
  shapeDifferences,
  termsIn,
  wordStatistics,
  type WordStatistics,
} from '@bindery/translation';

/** The result of translating a page into the pseudo-locale. */
export type TranslatedPage = {
  segments: number;
  words: number;
  /** The page is the same, byte for byte, with its own texts as translations. */
  isKept: boolean;
  /** The parts of the page's shape that a translation of all segments changed. */
  changed: string[];
  /** The number of segments that keep their source. */
  refused: number;
  /** Milliseconds for cutting and for joining. */
  cutMs: number;
  joinMs: number;
  statistics: WordStatistics;
};

/** Translates a page into the pseudo-locale as a run does, with a memory that lasts for the run. */
export function translatePage(file: Uint8Array, memory: Map<string, string>): TranslatedPage {
  const glossary = glossaryOf([{ source: 'Bindery', target: 'Bíñďéŕý' }]);
  const start = performance.now();
  const page = segmentPage(file);
  const cutMs = performance.now() - start;
  const keyed = page.segments.map(({ role, text, parts }) => {
    const terms = termsIn(parts, glossary);
    const source = {
      organization: 'o',
      pair: ['en', 'xx'] as const,
      engine: pseudoLocaleName,
      role,
      text,
      terms,
    };
    return { key: Buffer.from(segmentKey(source)).toString('hex'), words: countWords(parts), text, terms };
  });
  const statistics = wordStatistics(keyed, (key) => (memory.has(key) ? 'memory' : undefined));
  const translations = new Map<number, string>();
  for (const [index, { key, text, terms }] of keyed.entries()) {
    const translation = memory.get(key) ?? pseudoLocale(text);
    if (checkTranslation(text, translation, { terms }).length > 0) continue;
    memory.set(key, translation);
    translations.set(index, translation);
  }
  const joinStart = performance.now();
  const joined = joinPage(page, (_, index) => translations.get(index));
  const joinMs = performance.now() - joinStart;
  const own = joinPage(page, ({ text }) => text);
  const changed = shapeDifferences(pageShape(page.body), pageShape(segmentPage(joined).body));
  const unsafe = changed.length > 0 ? joinSafely(page, translations).refused.length : 0;
  return {
    segments: page.segments.length,
    words: page.segments.reduce((sum, { parts }) => sum + countWords(parts), 0),
    isKept: Buffer.compare(own, file) === 0,
    changed,
    refused: page.segments.length - translations.size + unsafe,
    cutMs,
    joinMs,
    statistics,
  };
}

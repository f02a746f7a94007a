import { openApertium, type Engine } from '@bindery/engines';
import { pageShape, segmentPage, shapeDifferences, textOfParts } from '@bindery/translation';
import { describe, expect } from 'vitest';
import { seededRandom, suiteSeed } from '../../support/seededRandom.ts';
import { it } from '../../support/translation/translating.ts';

const pages = 30;
const textsOfPage = 50;
const hostile = [
  ...['{% endhint %}', '{% hint style="info" %}', '[x]: https://evil.example', '<script>alert(1)</script>'],
  ...[
    'www.evil.example',
    '**「設定」**を',
    'これは_斜体_です',
    'See https://a.example/b.',
    '{count, plural,',
  ],
  ...['%1$s and %d', '{{ x }}', '${x}', '\u202eleft\u202c', '\u200f', 'NUL \0 here', 'lone \ud800 half'],
  ...['x'.repeat(3_000), '<!-- note', '-->', '| cell |', '`code', '***', '[a](b', '![', '&lt;b&gt;', '\\'],
  ...['$&', '^a<n>$', '[<q3>]', '[[t:x:1]]', '<g id="1">', '</g>', '<x id="9"/>', '⟦', 'me@evil.example'],
];
/**
 * Markup that an answer brings in unless it is escaped; no page has more of it than its source. Links are
 * part of the shape: a bare one may be written in another form.
 */
const injected = ['{%', '<script', ']: ', '<!--', '{{'];

/** A paragraph for each text, with a number that tells its place. */
function sourceOf(page: number): string {
  const random = seededRandom(suiteSeed + page);
  const texts = Array.from({ length: textsOfPage }, (_, index) => {
    const words = Array.from({ length: 1 + random.below(3) }, () => random.pick(hostile));
    return `House ${numberOf(page, index)} is ${words.join(random.pick([' ', '', ' and ']))}`;
  });
  return `${texts.join('\n\n')}\n`;
}

function numberOf(page: number, index: number): number {
  return 70_000 + page * textsOfPage + index;
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

const shapeOf = (text: string) => pageShape(segmentPage(bytesOf(text)).body);

describe('a run over 1,500 hostile texts', { timeout: 600_000 }, () => {
  it.for(['pseudo-locale', 'apertium', 'an engine that adds them to its answers'])(
    'by %s keeps the shape of each page, and each text in its place',
    async (name, { translated, engine, onTestFinished }) => {
      const random = seededRandom(suiteSeed);
      const apertium = name === 'apertium' ? await openApertium({ root: '/' }) : undefined;
      if (name === 'apertium') expect(apertium).toBeDefined();
      const before: Engine = { ...engine.wrapped };
      onTestFinished(async () => {
        Object.assign(engine.wrapped, before);
        engine.answer = () => undefined;
        await apertium?.close();
      });
      if (apertium) engine.wrapped.translate = apertium.translate;
      if (name.startsWith('an engine'))
        engine.answer = (text) => `${text} ${textOfParts([random.pick(hostile)])}`;
      const sources = Array.from({ length: pages }, (_, page) => sourceOf(page));
      const one = await translated(
        sources.map((source, page) => ({
          id: `page${page}`,
          title: `Page ${page} ${hostile[page]}`,
          source,
        })),
      );
      expect(one.first.state, JSON.stringify(one.first.error)).toBe('succeeded');
      for (const [page, source] of sources.entries()) {
        const { text } = await one.page(`page${page}`);
        const stored = Buffer.from(source).toString();
        expect(shapeDifferences(shapeOf(stored), shapeOf(text)), `page ${page}`).toEqual([]);
        expect(text.match(/7\d{4}/g)).toEqual(stored.match(/7\d{4}/g));
        const more = injected.filter(
          (mark) => text.replaceAll(`\\${mark}`, '').split(mark).length > stored.split(mark).length,
        );
        expect(more, `page ${page}`).toEqual([]);
      }
    },
  );
});

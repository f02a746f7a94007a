import { readdirSync, readFileSync } from 'node:fs';
import { documentToMarkdown, parseDocument } from '@bindery/dialect';
import { seededRandom } from '../../test/support/seededRandom.ts';

const folder = new URL('../../test/fixtures/pages/', import.meta.url);

/**
 * Pages of 1 to 20 kB with every block, inline and form of the dialect, in realistic proportions: mostly
 * text, lists and code.
 */
export function typicalPages(count: number): string[] {
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  // Single blocks, so that every page is a different combination.
  const blocks = sources.flatMap((source) =>
    parseDocument(source).nodes.map((node) =>
      documentToMarkdown({ object: 'document', data: {}, nodes: [node] }),
    ),
  );
  const random = seededRandom(24);
  const plain = () => {
    const words = Array.from({ length: 20 + random.below(60) }, () => random.pick(vocabulary)).join(' ');
    const kind = random.below(5);
    if (kind === 0) return `## ${words.slice(0, 30)}\n`;
    if (kind === 1) return words.replaceAll(/((?:\S+ ){8})/g, '* $1\n').concat('\n');
    if (kind === 2) return `\`\`\`js\n${words.replaceAll(/((?:\S+ ){6})/g, '$1\n')}\n\`\`\`\n`;
    return `${words}.\n`;
  };
  return Array.from({ length: count }, () => {
    const size = 1_000 + random.below(5) * random.below(5_000);
    let page = '';
    while (page.length < size) page += `${random.chance(0.35) ? random.pick(blocks) : plain()}\n`;
    return page;
  });
}

const vocabulary =
  'a the page is written in words with `code` and [links](other.md#part) to **bold** places or _quiet_ ones, that nobody, reads twice; once more'.split(
    ' ',
  );

/** Pages designed to be slow to parse, close to the maximum size of a page. */
export function hostilePages(): Record<string, string> {
  const size = 249_000;
  const filled = (piece: string) => piece.repeat(Math.floor(size / piece.length));
  return {
    'emphasis that never ends': filled('*a **b _c '),
    'open brackets': filled('['),
    'links in links': filled('[a](b '),
    'quotes in quotes': `${filled(`${'> '.repeat(90)}a\n`)}`,
    'code that never ends': filled('` `` ``` '),
    'tags that never end': filled('<a <b "'),
    'tables without cells': filled('|-|-|\n'),
    'block tags that never end': filled('{% tab %}\na\n'),
    'nested elements': filled('<div><p>'),
    'a table of many cells': `<table>${filled('<tr><td>a</td></tr>')}</table>`,
    'many short paragraphs': filled('a\n\n'),
    'one long word': filled('a'),
  };
}

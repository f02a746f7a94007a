import { DocumentTree } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { markdownToDocument } from './markdownToDocument.ts';

const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));
const nested = (open: string, close: string) => `${open.repeat(5_000)}deep${close.repeat(5_000)}`;

describe('a hostile page', () => {
  it.each([
    ...[
      '[',
      '<',
      '](',
      '*]',
      '`a ``',
      '> ',
      '- ',
      '1. ',
      '*a_ ',
      '[a](',
      '[^a]',
      'a $$ b ',
      'x <!-- ',
      'a|b\n',
      '[^1]\n\n[^1]: [^1]\n\n',
      '\0',
    ],
    ...[
      '{% hint %}\n',
      '{% endhint %}\n',
      '{% tab %}\n',
      '{% ',
      'a {% hint %} b\n',
      '<div>\n\n',
      '<td>',
      '<b><i>',
      '<a href="',
      '<details><summary>',
    ],
  ])('of %j is parsed, or kept as text', (piece) => {
    for (const length of [10_000, 2_000_000]) {
      const tree = markdownToDocument(repeated(piece, length));
      expect(DocumentTree.safeParse(tree).error?.message).toBeUndefined();
    }
  });

  it.each([
    ['tags', nested('{% hint %}\n\n', '\n\n{% endhint %}')],
    ['elements', nested('<div>\n\n', '\n\n</div>')],
    ['elements in a line', `a ${nested('<b>', '</b>')}`],
    ['tables', nested('<table><tr><td>', '</td></tr></table>')],
    ['what can be expanded', nested('<details>\n\n<summary>a</summary>\n\n', '\n\n</details>')],
    ['quotes', `${'>'.repeat(5_000)} deep`],
    [
      'lists',
      Array.from(
        { length: 100 },
        (_, depth) => `${'  '.repeat(depth)}- ${depth === 99 ? 'deep' : depth}`,
      ).join('\n'),
    ],
    ['emphasis', nested('*a **b ', '** *')],
  ])('of nested %s keeps its words', (_what, markdown) => {
    const tree = markdownToDocument(markdown);
    expect(DocumentTree.safeParse(tree).error?.message).toBeUndefined();
    expect(JSON.stringify(tree)).toContain('deep');
  });

  it.each([
    [
      'code',
      `before\n\n\`\`\`\n${Array.from({ length: 3_000 }, (_, line) => `line${line}`).join('\n')}\n\`\`\`\n\nafter`,
    ],
    ['paragraphs', Array.from({ length: 1_600 }, (_, line) => `line${line}`).join('\n\n')],
    [
      'updates',
      `{% updates %}\n${Array.from({ length: 900 }, (_, line) => `{% update date="2026-01-01" %}\nline${line}\n{% endupdate %}\n`).join('')}{% endupdates %}\n\nafter`,
    ],
    [
      'cells',
      `| a |\n| - |\n${Array.from({ length: 3_000 }, (_, line) => `| line${line} |`).join('\n')}\n\nafter`,
    ],
  ])('of more %s than a tree may have keeps its words, and the blocks that fit', (_what, markdown) => {
    const tree = markdownToDocument(markdown);
    expect(DocumentTree.safeParse(tree).error?.message).toBeUndefined();
    expect(tree.nodes.length).toBeGreaterThan(1);
    const json = JSON.stringify(tree);
    expect((markdown.match(/line\d+/g) ?? []).filter((word) => !json.includes(word))).toEqual([]);
  });

  // Ordinary texts contain many unmatched brackets followed by marks.
  it.each<[what: string, paragraph: string, count: number]>([
    ['an exclamation', `Great! **Then** ${'we went on writing words '.repeat(32)}`, 10],
    ['many short exclamations', 'Great! **Then** we went on.', 300],
    ['a long exclamation', `Great! **Then** ${'we went on writing words '.repeat(120)}`, 1],
    ['an interval', `The range [0, 1) is **half** open, and ${'we went on writing words '.repeat(32)}`, 10],
  ])('with %s as in ordinary text is parsed', (_what, paragraph, count) => {
    const tree = markdownToDocument(Array<string>(count).fill(paragraph).join('\n\n'));
    expect(JSON.stringify(tree).match(/"bold"/g)).toHaveLength(count);
  });
});

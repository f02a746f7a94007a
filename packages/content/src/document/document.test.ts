import { DocumentTree, type DocumentBlock } from '@bindery/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { officialSchemas } from '../../../../test/support/officialSchemas.ts';
import { documentToMarkdown } from './documentToMarkdown.ts';
import { markdownToDocument } from './markdownToDocument.ts';

const official = officialSchemas();

/** A tree is a body of a comment, so the published description of one says what a tree is. */
function problemsOf(tree: unknown): string | undefined {
  const user = { object: 'user', id: 'u', displayName: 'Ann', urls: { location: 'http://a.example' } };
  const reply = {
    ...{ object: 'comment-reply', id: 'r', postedBy: user, postedAt: '2026-01-01T00:00:00.000Z', reactions: [], body: { document: tree } },
    ...{ urls: { location: 'http://a.example' }, permissions: { view: true, edit: true, reply: true, delete: true } },
  };
  const parsed = DocumentTree.safeParse(tree);
  return official.problemsOf('getCommentReplyInSpace', 200, reply) ?? parsed.error?.message;
}

const textOf = (node: unknown): string => {
  const { leaves = [], nodes = [] } = node as { leaves?: { text: string }[]; nodes?: unknown[] };
  return leaves.map(({ text }) => text).join('') + nodes.map(textOf).join('');
};
const typesOf = (markdown: string) => markdownToDocument(markdown).nodes.map(({ type }) => type);

describe('Markdown as a tree', () => {
  it.each([
    ['', []],
    ['Hello', ['paragraph']],
    ['# A\n\n## B\n\n### C\n\n#### D', ['heading-1', 'heading-1', 'heading-2', 'heading-3']],
    ['- a\n- b\n\n7. c', ['list-unordered', 'list-ordered']],
    ['> quote\n>\n> > deeper', ['blockquote']],
    ['```js title\nlet a;\n```\n\n    indented', ['code', 'code']],
    ['a\n\n***\n\nb', ['paragraph', 'divider', 'paragraph']],
    ['<div onclick="x">\nhi\n</div>', ['paragraph']],
    ['{% hint style="info" %}\nhi\n{% endhint %}', ['paragraph']],
    ['| a | b |\n| - | - |\n| 1 | 2 |', ['paragraph']],
    ['a ![b](c.png "d") <b>e</b>', ['paragraph']],
    ['> ```\n> code in a quote\n> ```', ['blockquote']],
  ])('%j has the blocks %j', (markdown, types) => {
    const tree = markdownToDocument(markdown);
    expect(tree.nodes.map(({ type }) => type)).toEqual(types);
    expect(problemsOf(tree)).toBeUndefined();
  });

  it('keeps marks and links, and takes no link that runs something', () => {
    const [paragraph] = markdownToDocument('a **b *c*** `d` ~~e~~ [f **g**](/pages/x) [h](javascript:alert(1))').nodes as [DocumentBlock];
    const marked = (paragraph.nodes ?? []).flatMap((node) =>
      node.object === 'text' ? node.leaves.map(({ text, marks }) => [text, ...marks.map(({ type }) => type)]) : [[node.type, textOf(node)]],
    );
    expect(marked).toEqual([
      ['a '],
      ['b ', 'bold'],
      ['c', 'bold', 'italic'],
      [' '],
      ['d', 'code'],
      [' '],
      ['e', 'strikethrough'],
      [' '],
      ['link', 'f g'],
      [' [h](javascript:alert(1))'],
    ]);
  });

  it.each([
    ['nests lists', Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- ${depth}`).join('\n')],
    ['nests quotes', `${'>'.repeat(5_000)} deep`],
    ['has very many blocks', 'a\n\n'.repeat(6_000)],
    ['has very many marks', '*a* '.repeat(5_000)],
  ])('stays a valid tree with all its text when it %s', (_, markdown) => {
    const tree = markdownToDocument(markdown);
    expect(DocumentTree.safeParse(tree).success).toBe(true);
    expect(textOf(tree)).toContain(/\w+/.exec(markdown)?.[0]);
  });

  it('is valid whatever was written', () => {
    const piece = fc.constantFrom(
      ...'ab *_`~[]()!<>#-+>.1|\\&{%}\n\n\n\t"\'é'.split(''),
      '😀',
      '```',
      '    ',
      '](x)',
      '- ',
      '1. ',
      '> ',
      '<!--',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const tree = markdownToDocument(pieces.join(''));
        expect(problemsOf(tree)).toBeUndefined();
        // And back again, without a throw.
        expect(documentToMarkdown(tree)).toBeTypeOf('string');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a tree as Markdown', () => {
  it.each([
    'Hello **bold** and *italic*, ~~gone~~ and `code`.\n',
    '## Title\n\n### Below\n',
    '- a\n- b\n  \n  c\n'.replace('  \n', '\n'),
    '3. a\n4. b\n',
    '> quote\n>\n> > deeper\n',
    '```js\nlet a = `b`;\n```\n',
    '[text](https://a.example/x?y=1)\n',
    '***\n',
  ])('%j comes back as it was', (markdown) => {
    expect(documentToMarkdown(markdownToDocument(markdown))).toBe(markdown);
  });

  it('leaves text as text', () => {
    const leaf = (text: string) => ({ object: 'leaf' as const, text, marks: [] });
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab1 *_`~[]()!<>#-+=.|\\&;{}"'.split('')), minLength: 1, maxLength: 30 }),
        (text) => {
          const given = text.trim();
          const markdown = documentToMarkdown({
            object: 'document',
            data: {},
            nodes: [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leaf(given)] }] }],
          });
          const back = markdownToDocument(markdown);
          expect([given, textOf(back)]).toEqual([given, given]);
          expect(typesOf(markdown)).toEqual(given === '' ? [] : ['paragraph']);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('shows the text of what Markdown has no form for', () => {
    const paragraph = (text: string): DocumentBlock => ({
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    });
    const markdown = documentToMarkdown({
      object: 'document',
      data: {},
      nodes: [
        { object: 'block', type: 'hint', data: { style: 'info' }, nodes: [paragraph('careful')] },
        { object: 'block', type: 'tabs', nodes: [{ object: 'block', type: 'tabs-item', data: { title: 't' }, nodes: [paragraph('tab')] }] },
        {
          object: 'block',
          type: 'paragraph',
          nodes: [
            { object: 'inline', type: 'emoji', isVoid: true, data: { code: '1f600' } },
            { object: 'inline', type: 'link', data: { ref: { kind: 'page', page: 'p1' } }, nodes: [{ object: 'text', leaves: [] }] },
          ],
        },
      ],
    });
    expect(markdown).toBe('{% hint style="info" %}\ncareful\n{% endhint %}\n\ntab\n\n😀[](/pages/p1)\n');
  });
});

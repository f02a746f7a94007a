import type { DocumentBlock, DocumentInline, DocumentText } from '@bindery/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentTrees, essentials } from '../../../../test/support/documentTrees.ts';
import { documentToMarkdown } from './documentToMarkdown.ts';
import { parseDocument } from './parseDocument.ts';
import { bound } from '../../../../test/support/machine.ts';

const document = (...nodes: DocumentBlock[]) => ({ object: 'document' as const, data: {}, nodes });
const paragraph = (...nodes: (DocumentText | DocumentInline)[]): DocumentBlock => ({
  object: 'block',
  type: 'paragraph',
  nodes,
});
const text = (words: string): DocumentText => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: words, marks: [] }],
});
const link = (ref: object): DocumentInline => ({
  object: 'inline',
  type: 'link',
  data: { ref },
  nodes: [text('x')],
});

const textOf = (node: unknown): string => {
  const { leaves = [], nodes = [] } = node as { leaves?: { text: string }[]; nodes?: unknown[] };
  return leaves.map((leaf) => leaf.text).join('') + nodes.map(textOf).join('');
};

describe('a tree as Markdown', () => {
  it('parses back to the same tree', () => {
    fc.assert(
      fc.property(documentTrees(), (tree) => {
        const markdown = documentToMarkdown(tree);
        expect({ markdown, tree: essentials(parseDocument(markdown)) }).toEqual({
          markdown,
          tree: essentials(tree),
        });
      }),
      { numRuns: 300 },
    );
  });

  it('separates an emoji from text that could take its colon', () => {
    const smile: DocumentInline = { object: 'inline', type: 'emoji', data: { code: '1f604' } };
    const tree = {
      ...document(),
      data: { schemaVersion: 1 },
      nodes: [paragraph(text('see :a'), smile, text(' or :unknown'), smile, smile, text('b:'))],
    };
    expect(essentials(parseDocument(documentToMarkdown(tree)))).toEqual(essentials(tree));
  });

  it('preserves text as text', () => {
    const letters = fc.constantFrom(...Array.from('ab1 *_`~[]()!<>#-+=.|\\&;{}%$:"'));
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 30 }), (given) => {
        const markdown = documentToMarkdown(document(paragraph(text(given))));
        const back = parseDocument(markdown);
        expect([markdown, textOf(back)]).toEqual([markdown, given]);
        expect(back.nodes.map(({ type }) => type)).toEqual(['paragraph']);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [{ kind: 'page', page: 'p' }, '/pages/p'],
    [{ kind: 'page', page: 'p', space: 's' }, '/spaces/s/pages/p'],
    [{ kind: 'anchor', page: 'p', anchor: 'a' }, '/pages/p#a'],
    [{ kind: 'anchor', anchor: 'a' }, '#a'],
    [{ kind: 'file', file: 'f' }, '/files/f'],
    [{ kind: 'url', url: 'https://example.org/a b' }, '<https://example.org/a b>'],
    [{ kind: 'space', space: 's' }, '/spaces/s'],
    [{ kind: 'collection', collection: 'c' }, '/collections/c'],
    [{ kind: 'user', user: 'u' }, '/users/u'],
    [{ kind: 'openapi', spec: 'pets' }, '/openapi/pets'],
    [{ kind: 'target', target: '../a.md' }, '../a.md'],
  ])('writes the reference %j as %s', (ref, target) => {
    expect(documentToMarkdown(document(paragraph(link(ref))))).toBe(`[x](${target})\n`);
  });

  it('uses the given targets, and stable targets for other references', () => {
    const tree = document(paragraph(link({ kind: 'page', page: 'p' }), link({ kind: 'file', file: 'f' })));
    expect(documentToMarkdown(tree, ({ kind }) => (kind === 'page' ? 'other.md' : undefined))).toBe(
      '[x](other.md)[x](/files/f)\n',
    );
  });

  it('is empty for a document without content', () => {
    expect(documentToMarkdown(document())).toBe('');
    expect(documentToMarkdown(document(paragraph()))).toBe('');
  });

  it.each([
    [
      'marks',
      (count: number) =>
        paragraph(...Array.from({ length: count }, (_, i) => marked(i % 2 ? 'bold' : 'italic'))),
    ],
    ['special letters', (count: number) => paragraph(text('*_[`<&{%$'.repeat(count)))],
    [
      'blocks',
      (count: number) => ({
        object: 'block' as const,
        type: 'blockquote' as const,
        nodes: Array.from({ length: count }, () => paragraph(text('a'))),
      }),
    ],
  ])('takes linear time for many %s', (_what, make) => {
    const start = performance.now();
    documentToMarkdown(document(make(3_000)));
    expect(performance.now() - start).toBeLessThan(bound(2_000));
  });
});

function marked(type: 'bold' | 'italic'): DocumentText {
  return { object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [{ object: 'mark', type }] }] };
}

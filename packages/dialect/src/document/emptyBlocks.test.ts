import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { expect, it } from 'vitest';
import { documentToMarkdown } from './documentToMarkdown.ts';
import { evaluateDocument } from './evaluateDocument.ts';
import { parseDocument } from './parseDocument.ts';

/** Finds empty nodes in a tree, except for code and lines of text, which may be empty. */
function emptyIn(nodes: readonly DocumentNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.object !== 'block') return [];
    const own = node.isVoid === false && node.nodes?.length === 0 ? [node.type] : [];
    const fragments = (node.fragments ?? []).flatMap((fragment) => [
      ...(fragment.nodes.length === 0 ? [`fragment of ${node.type}`] : []),
      ...emptyIn(fragment.nodes),
    ]);
    return [...own, ...emptyIn(node.nodes ?? []), ...fragments];
  });
}

it.each([
  ['*\n'],
  ['1.\n2. b\n'],
  ['* a\n*\n'],
  ['>\n'],
  ['{% hint style="info" %}\n{% endhint %}\n'],
  ['{% tabs %}\n{% tab title="A" %}\n{% endtab %}\n{% endtabs %}\n'],
  ['{% stepper %}\n{% step %}\n{% endstep %}\n{% endstepper %}\n'],
  ['{% columns %}\n{% column %}\n{% endcolumn %}\n{% endcolumns %}\n'],
  ['{% updates format="full" %}\n{% update date="2026-01-02" %}\n{% endupdate %}\n{% endupdates %}\n'],
  ['{% if visitor.claims.a %}\n{% endif %}\n'],
  ['| a | b |\n| - | - |\n| 1 |   |\n'],
  ['<table><thead><tr><th width="10">a</th></tr></thead><tbody><tr><td></td></tr></tbody></table>\n'],
  [
    '<table><thead><tr><th width="10">a</th></tr></thead><tbody><tr><td><blockquote></blockquote><ul><li></li></ul></td></tr></tbody></table>\n',
  ],
])('%j contains an empty paragraph, which is not written', (markdown) => {
  const tree = parseDocument(markdown);
  expect(emptyIn(tree.nodes)).toEqual([]);
  expect(documentToMarkdown(tree)).toBe(markdown);
});

it('an empty task and an empty expandable contain a paragraph as well', () => {
  for (const markdown of ['* [ ] &#x20;\n', '<details>\n\n<summary>a</summary>\n\n</details>\n']) {
    const tree = parseDocument(markdown);
    expect(emptyIn(tree.nodes)).toEqual([]);
    expect(parseDocument(documentToMarkdown(tree)).nodes).toEqual(tree.nodes);
  }
});

it('a cell whose condition is not met contains a paragraph as well', () => {
  const cell = '<div data-gb-custom-block data-tag="if" data-expression="visitor.claims.a"><p>x</p></div>';
  const tree = parseDocument(
    `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>`,
  );
  const shown = evaluateDocument(tree, { claims: {} });
  expect(JSON.stringify(tree)).toContain('"if"');
  expect(emptyIn(shown.nodes)).toEqual([]);
  expect((shown.nodes[0] as DocumentBlock).fragments?.[0]?.nodes).toMatchObject([
    { type: 'paragraph', key: expect.any(String) },
  ]);
});

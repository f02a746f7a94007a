import type { DocumentBlock } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { documentJudge, outline } from '../../../../test/support/documentProblems.ts';
import { markdownToDocument } from '../document/markdownToDocument.ts';
import { parseDocument } from '../document/parseDocument.ts';

const problemsOf = documentJudge();
const inlinesOf = (markdown: string) =>
  ((parseDocument(markdown).nodes[0] as DocumentBlock).nodes ?? []).map((node) =>
    node.object === 'text'
      ? outline([node])[0]
      : { type: node.type, ...node.data, ...(node.nodes && { text: outline(node.nodes) }) },
  );
const link = (target: string, ...text: unknown[]) => ({
  type: 'link',
  ref: { kind: 'target', target },
  text: [text],
});

describe('a line of text', () => {
  it.each<[string, unknown[]]>([
    [
      'a **b *c*** `d` ~~e~~',
      [['a ', ['b ', 'bold'], ['c', 'bold', 'italic'], ' ', ['d', 'code'], ' ', ['e', 'strikethrough']]],
    ],
    ['a\nb\\\nc<br>d', [['a b\nc\nd']]],
    ['a&#x20;&nbsp;b &#x26; c', [['a \u00a0b & c']]],
    [
      '<kbd>a</kbd> H<sub>2</sub>O x<sup>2</sup>',
      [[['a', 'keyboard'], ' H', ['2', 'subscript'], 'O x', ['2', 'superscript']]],
    ],
    [
      '<b>a</b> <i>b</i> <s>c</s> <u>d</u>',
      [[['a', 'bold'], ' ', ['b', 'italic'], ' ', ['c', 'strikethrough'], ' d']],
    ],
    ['a <T> <keymap>b</keymap>', [['a <T> <keymap>b</keymap>']]],
    ['[a **b**](../c%20d.md#e "f")', [link('../c%20d.md#e', 'a ', ['b', 'bold'])]],
    [
      '<https://a.example> www.b.example c@d.example',
      [
        link('https://a.example', 'https://a.example'),
        [' '],
        link('http://www.b.example', 'www.b.example'),
        [' '],
        link('mailto:c@d.example', 'c@d.example'),
      ],
    ],
    // White space written as a character reference ends a URL.
    ['https://a.example/b&#x20;', [link('https://a.example/b', 'https://a.example/b'), [' ']]],
    ['www.a.example.&#x20;&#xA0;b; c', [link('http://www.a.example', 'www.a.example'), ['. \u00a0b; c']]],
    [
      '[https://a.example\\&#x20;b](https://a.example)',
      [link('https://a.example', 'https://a.example&#x20;b')],
    ],
    [
      'https://a.example/?b&amp;c=1;',
      [link('https://a.example/?b&amp;c=1', 'https://a.example/?b&amp;c=1'), [';']],
    ],
    ['[a][b]\n\n[b]: c.md', [link('c.md', 'a')]],
    ['a [h](javascript:alert(1)) <a href="java&#x0A;script:x">b</a>', [['a h b']]],
    ['[a](b.md "mention")', [{ type: 'mention', ref: { kind: 'target', target: 'b.md' }, label: 'a' }]],
    [
      'x <a data-mention href="b.md">b</a>',
      [['x '], { type: 'mention', ref: { kind: 'target', target: 'b.md' }, label: 'b' }],
    ],
    [
      'a ![b](c.png "d")',
      [['a '], { type: 'inline-image', ref: { kind: 'target', target: 'c.png' }, alt: 'b', caption: 'd' }],
    ],
    [
      'a <img src="c (1).png" alt="b" data-size="line">',
      [
        ['a '],
        { type: 'inline-image', ref: { kind: 'target', target: 'c (1).png' }, alt: 'b', size: 'line' },
      ],
    ],
    [
      'a <picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="c.png" alt=""></picture>',
      [
        ['a '],
        {
          type: 'inline-image',
          ref: { kind: 'target', target: 'c.png' },
          refDark: { kind: 'target', target: 'd.png' },
        },
      ],
    ],
    [
      '[![a](b.png)](c.md)',
      [{ type: 'link', ref: { kind: 'target', target: 'c.md' }, text: ['inline-image'] }],
    ],
    [
      ':rocket: :+1: :unknown: 12:30:45',
      [{ type: 'emoji', code: '1f680' }, [' '], { type: 'emoji', code: '1f44d' }, [' :unknown: 12:30:45']],
    ],
    ['[:rocket: a](b.md)', [link('b.md', '🚀 a')]],
    [
      'a <span data-gb-custom-inline data-tag="emoji" data-code="1f50d">🔍</span>',
      [['a '], { type: 'emoji', code: '1f50d' }],
    ],
    [
      '<i class="fa-github">:github:</i> <i class="fa-solid fa-gear" style="color:$primary;"></i>',
      [{ type: 'icon', icon: 'github' }, [' '], { type: 'icon', icon: 'gear', color: '$primary' }],
    ],
    [
      '<mark style="color:red;background-color:blue;">a</mark> <mark style="color:#123456;">b</mark>',
      [[['a', 'color'], ' b']],
    ],
    ['a $$b_c^2$$ and $5 for $6', [['a '], { type: 'inline-math', formula: 'b_c^2' }, [' and $5 for $6']]],
    ['<code class="expression">space.vars.a</code>', [{ type: 'expression', expression: 'space.vars.a' }]],
    [
      '<a href="a.md" class="button secondary" data-icon="gear">Go *on*</a>',
      [
        {
          type: 'button',
          label: 'Go on',
          kind: 'secondary',
          icon: 'gear',
          ref: { kind: 'target', target: 'a.md' },
        },
      ],
    ],
    [
      'x <button type="button" class="button primary" data-action="ask" data-query="b">A</button>',
      [['x '], { type: 'button', label: 'A', kind: 'primary', action: { action: 'ask', query: 'b' } }],
    ],
    ['<a id="here"></a>a', [['a']]],
    ['a{{ b }} {% c %}', [['a{{ b }} {% c %}']]],
    ['zero\u200bwidth', [['zero\u200bwidth']]],
  ])('%j is read', (markdown, nodes) => {
    expect(inlinesOf(markdown)).toEqual(nodes);
    expect(problemsOf(markdownToDocument(markdown))).toBeUndefined();
  });

  it.each([
    '[word](#user-content-fn-1)[^1]\n\n[^1]: Body *a*\n\n    ```\n    b\n    ```',
    '<p><a data-footnote-ref href="#user-content-fn-1">word</a></p>\n\n[^1]: Body *a*\n\n    ```\n    b\n    ```',
  ])('%j is annotated', (markdown) => {
    const [paragraph] = parseDocument(markdown).nodes as [DocumentBlock];
    expect(outline([paragraph])).toEqual([
      [
        'paragraph',
        ['annotation', ['word'], ['paragraph', ['Body ', ['a', 'italic']]], ['code', ['code-line', ['b']]]],
      ],
    ]);
    expect(problemsOf(markdownToDocument(markdown))).toBeUndefined();
  });

  it('keeps the text of a footnote without a reference, and of a footnote that refers to itself', () => {
    expect(outline(parseDocument('a\n\n[^1]: b').nodes)).toEqual([
      ['paragraph', ['a']],
      ['paragraph', ['[^1]: b']],
    ]);
    expect(outline(parseDocument('a[^1]\n\n[^1]: b [^1]').nodes)).toEqual([
      ['paragraph', ['a'], ['annotation', ['1'], ['paragraph', ['b 1[^1]']]]],
    ]);
  });
});

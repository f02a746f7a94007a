import { readFileSync, readdirSync } from 'node:fs';
import { parseDocument } from '@bindery/dialect';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pseudoLocale } from '../engine/pseudoLocale.ts';
import { textOfParts } from '../text/parts.ts';
import { joinPage } from './joinPage.ts';
import { pageShape } from './pageShape.ts';
import { segmentPage } from './segmentPage.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Replaces the texts of segments as given. */
function translated(markdown: string, texts: Record<string, string>): string {
  const page = segmentPage(encode(markdown));
  expect(page.segments.map(({ text }) => text)).toEqual(expect.arrayContaining(Object.keys(texts)));
  return decode(joinPage(page, ({ text }) => texts[text]));
}

const fixtures = new URL('../../../../test/fixtures/pages/', import.meta.url);
const pages = readdirSync(fixtures).map(
  (name) => [name, readFileSync(new URL(name, fixtures), 'utf8')] as const,
);

function visible(markdown: string): string {
  type Node = ReturnType<typeof parseDocument>['nodes'][number];
  const textOf = (node: Node | NonNullable<Node['nodes']>[number]): string =>
    node.object === 'text'
      ? node.leaves.map(({ text }) => text).join('')
      : [
          ...(node.nodes ?? []),
          ...(node.fragments ?? []).flatMap(({ nodes }) => nodes),
          ...titlesOf(node.data),
        ]
          .map((child) => (typeof child === 'string' ? child : textOf(child)))
          .join('');
  return parseDocument(markdown).nodes.map(textOf).join('\n');
}

/** The titles of the columns of a table. */
function titlesOf(data: Record<string, unknown> = {}): string[] {
  return Object.values((data['definition'] ?? {}) as Record<string, { title: string }>).map(
    ({ title }) => title,
  );
}

describe('a joined page', () => {
  it.each<[markdown: string, texts: Record<string, string>, joined: string]>([
    ['# A\n\nOne\ntwo.\n\n***\n', { 'One two.': 'Eins zwei.' }, '# A\n\nEins zwei.\n\n***\n'],
    ['> * one\n>   two\n> * c\n', { 'one two': 'eins' }, '> * eins\n> * c\n'],
    ['🚀 **All**  \n', { All: 'Alles' }, '🚀 **Alles**  \n'],
    [
      'a **b** [c](d.md "e")',
      { 'a <g id="1">b</g> <g id="2">c</g>': '<g id="2">C</g> <g id="1">B</g> A' },
      '[C](d.md "e") **B** A',
    ],
    ['| a | b |\n|---|---|\n| c | d |\n', { a: 'x|y', d: 'z' }, '| x\\|y | b |\n|---|---|\n| c | z |\n'],
    ['![a](b.png) [![c](d.png) e](f.md)', { a: '[A]', e: 'E' }, '![\\[A\\]](b.png) [![c](d.png) E](f.md)'],
    [
      'See ![a](b.png "c") here',
      { a: 'A', c: 'C "c"', 'See <x id="1"/> here': 'Hier <x id="1"/>' },
      'Hier ![A](b.png "C \\"c\\"")',
    ],
    [
      '{% tab title="a" %}\nb\n{% endtab %}\n',
      { a: 'A "x" %}' },
      '{% tab title="A &#x22;x&#x22; &#x25;}" %}\nb\n{% endtab %}\n',
    ],
    [
      '<p title="x">a<img alt=\'b\'></p>\n',
      { a: 'A &amp; &lt;b&gt;', b: "it's" },
      '<p title="x">A &#x26; &#x3C;b><img alt=\'it&#x27;s\'></p>\n',
    ],
    [
      '[a] or [b][]\n\n[a]: c.md\n[b]: d.md\n',
      { '<g id="1">a</g> or <g id="2">b</g>': '<g id="1">A</g> o <g id="2">B</g>' },
      '[A][a] o [B][b]\n\n[a]: c.md\n[b]: d.md\n',
    ],
    [
      '---\n# kept\ntitle: a # kept\nicon: x\n---\n\nb\n',
      { a: 'A: b', b: 'B' },
      '---\n# kept\ntitle: "A: b" # kept\nicon: x\n---\n\nB\n',
    ],
    ['\uFEFFa\r\nb\r\n\r\nc\r\n', { 'a b': 'A' }, '\uFEFFA\r\n\r\nc\r\n'],
    ['a\\\nb', { 'a<x id="1"/>b': 'A <x id="1"/>' }, 'A<br>'],
  ])('of %j with %j', (markdown, texts, joined) => {
    expect(translated(markdown, texts)).toBe(joined);
  });

  it.each([
    '<script>alert(1)</script>',
    '{% endhint %}',
    '{% hint style="info" %}',
    '{{ secret }}',
    '[x]: https://evil.example',
    '[x](https://evil.example)',
    '![x](https://evil.example/x.png)',
    '<https://evil.example>',
    '<img src=x onerror=alert(1)>',
    '<!-- a comment -->',
    'www.evil.example',
    'https://evil.example/path',
    'me@evil.example',
    '`code` and $$math$$',
    '# heading',
    '- item',
    '1. item',
    '> quote',
    '---',
    '| a | b |',
    '```js',
    '~~gone~~ **bold** _it_ *it* snake_case',
    '&lt;b&gt; &amp;#x41; &nbsp;',
    'back\\slash \\* end\\',
    '[^1] [ ] task',
    'C # #',
    'two\nlines\n\nand {% x %}\u2028 more',
  ])('shows the text %j of an engine as text', (text) => {
    for (const around of [
      '{% hint style="info" %}\nWords\n{% endhint %}\n',
      '# T\n\n## Words\n\nmore\n',
      '* Words\n* b\n',
      '| Words | b |\n|---|---|\n| c | d |\n',
      '<table><tr><td>Words</td></tr></table>\n',
      '**x** Words and [y](z.md)\n',
    ]) {
      const page = segmentPage(encode(around));
      const joined = joinPage(page, (segment) =>
        segment.text.includes('Words') ? segment.text.replace('Words', () => textOfParts([text])) : undefined,
      );
      expect(pageShape(decode(joined))).toEqual(pageShape(around));
      expect(visible(decode(joined))).toContain(text.replaceAll(/[\s\u2028]+/g, ' '));
      expect(decode(joined)).not.toMatch(/(?<!\\)<script|(?<!^|\n)\{%|\{\{|\n\[x\]:/);
    }
  });

  it.each([
    ['**a** b', '<g id="1">「設定」</g>を開く', '<strong>「設定」</strong>を開く'],
    ['**a** b', 'ここは<g id="1">重要：</g>です', 'ここは<strong>重要：</strong>です'],
    ['_a_ b', 'これは<g id="1">斜体</g>です', 'これは<em>斜体</em>です'],
    ['**a** b', 'ここは<g id="1">重要</g>です', 'ここは**重要**です'],
    ['**a** b', '<g id="1"> a </g>b', '**a** b'],
    ['**a** _b_', '<g id="1">a</g><g id="2">b</g>', '**a**_b_'],
    ['a https://a.example/b c', '見る <x id="1"/>。続き', '見る <https://a.example/b>。続き'],
    ['a https://a.example/b c', 'A <x id="1"/>.', 'A https://a.example/b.'],
    ['a www.a.example c', '見る<x id="1"/>続き', '見る[www.a.example](http://www.a.example)続き'],
    ['see `a` or `b`', '見<x id="1"/><x id="2"/>', '見`a` `b`'],
    ['wow [a](b)', 'a!<g id="1">b</g>', 'a\\![b](b)'],
    ['1&#x36;_&#x31;02&#x34;_&#x36;0 bytes', '16<x id="1"/>60 Bytes', '16<em>&#x31;02&#x34;</em>60 Bytes'],
  ])('keeps formatting and addresses of %j in %j', (markdown, text, joined) => {
    expect(decode(joinPage(segmentPage(encode(markdown)), () => text))).toBe(joined);
  });

  it.each([
    '<x id="1"/>',
    'b',
    '<g id="1">b',
    '<g id="1">b</g><g id="1">c</g>',
    '<g id="2">b</g>',
    '<b>b</b>',
  ])('keeps the source if the placeholders of %j differ', (text) => {
    const file = encode('a **b**');
    expect(joinPage(segmentPage(file), () => text)).toBe(file);
  });

  it.each(pages)('keeps blocks, targets and code of %s', (_, markdown) => {
    const page = segmentPage(encode(markdown));
    expect(decode(joinPage(page, ({ text }) => text))).toBe(markdown);
    const joined = segmentPage(joinPage(page, ({ text }) => pseudoLocale(text)));
    expect(pageShape(joined.body)).toEqual(pageShape(page.body));
    expect(joined.segments.length).toBe(page.segments.length);
  });

  it('keeps every byte if each text is its own translation', () => {
    const pieces = fc.constantFrom(
      ...[
        'a',
        'b c',
        '**',
        '_',
        '`',
        '[',
        '](x)',
        '![',
        '<b>',
        '</b>',
        '\n',
        '\n\n',
        '> ',
        '* ',
        '1. ',
        '| ',
        '|---|\n',
        '\t',
        '    ',
      ],
      ...[
        '{% hint %}',
        '{% endhint %}',
        '{% tab title="t" %}',
        '<td>',
        '<!--',
        '-->',
        '\\',
        '&amp;',
        '\r\n',
        '---\n',
        'title: x\n',
        '😀',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const markdown = parts.join('');
        const page = segmentPage(encode(markdown));
        expect(decode(joinPage(page, ({ text }) => text))).toBe(markdown);
        // Ranges follow each other, or are inside of one another.
        for (const { range } of page.segments)
          expect(range.start <= range.end && range.end <= page.body.length).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('has the shape of its source for random markup', () => {
    const words = fc.constantFrom(
      'word',
      '**bold**',
      '_it_',
      '`code`',
      '[link](a.md)',
      ':smile:',
      'https://a.example',
      '<br>',
      '<b>x</b>',
      '5',
      'a\\*b',
      '{{ x }}',
      '![alt](i.png)',
    );
    const line = fc.array(words, { minLength: 1, maxLength: 8 }).map((list) => list.join(' '));
    const block = fc.oneof(
      line,
      line.map((text) => `## ${text}`),
      line.map((text) => `* ${text}\n  ${text}`),
      line.map((text) => `> ${text}\n> ${text}`),
      line.map((text) => `| ${text} | b |\n|---|---|\n| c | ${text} |`),
      line.map((text) => `{% hint style="info" %}\n${text}\n{% endhint %}`),
      line.map((text) => `<details>\n<summary>${text}</summary>\n${text}\n</details>`),
    );
    const engine = fc.constantFrom(pseudoLocale, (text: string) =>
      text
        .toUpperCase()
        .replaceAll(/<(\/?)([GX])( ID="\d+")?(\/?)>|&(LT|GT|AMP);/g, (tag) => tag.toLowerCase()),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), engine, (blocks, translate) => {
        const markdown = blocks.join('\n\n');
        const page = segmentPage(encode(markdown));
        const joined = decode(joinPage(page, ({ text }) => translate(text)));
        expect(pageShape(joined)).toEqual(pageShape(markdown));
      }),
      { numRuns: 100 },
    );
  });
});

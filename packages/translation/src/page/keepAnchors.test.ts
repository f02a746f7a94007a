import { anchoredHeadings, anchorsOf, parseDocument } from '@bindery/dialect';
import { maxSource } from '@bindery/dialect/source';
import { withoutTitle } from '@bindery/dialect/syntax';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pseudoLocale } from '../engine/pseudoLocale.ts';
import { joinSafely } from './joinSafely.ts';
import type { PageTitles } from './keepAnchors.ts';
import { segmentPage } from './segmentPage.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

type Translate = Record<string, string> | ((text: string) => string);

function translated(markdown: string, translate: Translate, titles?: PageTitles): string {
  const page = segmentPage(encode(markdown), { withShape: true });
  const textOf = typeof translate === 'function' ? translate : (text: string) => translate[text];
  const texts = page.segments.flatMap(({ text }, index) => {
    const translation = textOf(text);
    return translation === undefined ? [] : [[index, translation] as const];
  });
  return decode(joinSafely(page, new Map(texts), titles).file);
}

const tag = (id: string) => `<a href="#${id}" id="${id}"></a>`;

function anchorsIn(markdown: string, title?: string): string[] {
  const document = parseDocument(title === undefined ? markdown : withoutTitle(markdown, title));
  return anchorsOf(anchoredHeadings(document));
}

describe('a translated heading', () => {
  it.each<[name: string, markdown: string, texts: Record<string, string>, joined: string]>([
    ['of level 3', '### Start here\n', { 'Start here': 'Empezar' }, `### Empezar ${tag('start-here')}\n`],
    ['at the end of a file', '## Start', { Start: 'Inicio' }, `## Inicio ${tag('start')}`],
    ['with a closing sequence', '## Start ##\n', { Start: 'Inicio' }, `## Inicio ${tag('start')} ##\n`],
    ['with a line below', 'Start\n===\n\nB\n', { Start: 'Inicio' }, `Inicio ${tag('start')}\n===\n\nB\n`],
    ['on two lines', 'Start\nhere\n---\n', { 'Start here': 'Inicio' }, `Inicio ${tag('start-here')}\n---\n`],
    ['in a file with CRLF', '## A\r\n\r\n## B\r\n', { A: 'C' }, `## C ${tag('a')}\r\n\r\n## B\r\n`],
    [
      'before one whose own anchor looks like a mark',
      '## Start\n\n## End <a id="bindery-heading-0"></a>\n',
      { Start: 'Inicio', End: 'Fin' },
      `## Inicio ${tag('start')}\n\n## Fin <a id="bindery-heading-0"></a>\n`,
    ],
    ['in bold', '## **Start**\n', { Start: 'Inicio' }, `## **Inicio** ${tag('start')}\n`],
    [
      'with code and a link',
      '## Use `npm` of [it](a.md)\n',
      { 'Use <x id="1"/> of <g id="2">it</g>': '<g id="2">Eso</g> y <x id="1"/>' },
      `## [Eso](a.md) y \`npm\` ${tag('use-npm-of-it')}\n`,
    ],
    [
      'with emoji and a picture',
      '## :tada: Start ![x](a.png)\n',
      { Start: 'Inicio', x: 'y' },
      `## :tada: Inicio ![y](a.png) ${tag('start')}\n`,
    ],
    ['in a list', '* ## Start\n', { Start: 'Inicio' }, `* ## Inicio ${tag('start')}\n`],
    ['in a quote', '> ## Start\n', { Start: 'Inicio' }, `> ## Inicio ${tag('start')}\n`],
    [
      'in tabs',
      '{% tabs %}\n{% tab title="A" %}\n## Start\n{% endtab %}\n{% endtabs %}\n',
      { Start: 'Inicio' },
      `{% tabs %}\n{% tab title="A" %}\n## Inicio ${tag('start')}\n{% endtab %}\n{% endtabs %}\n`,
    ],
    [
      'in steps',
      '{% stepper %}\n{% step %}\n### Start\n\nA\n{% endstep %}\n{% endstepper %}\n',
      { Start: 'Inicio' },
      `{% stepper %}\n{% step %}\n### Inicio ${tag('start')}\n\nA\n{% endstep %}\n{% endstepper %}\n`,
    ],
    [
      'in an expandable block',
      '<details>\n<summary>A</summary>\n## Start\n</details>\n',
      { Start: 'Inicio' },
      `<details>\n<summary>A</summary>\n## Inicio ${tag('start')}\n</details>\n`,
    ],
    [
      'of HTML',
      '<h2 align="center">Start</h2>\n',
      { Start: 'Inicio' },
      `<h2 align="center">Inicio${tag('start')}</h2>\n`,
    ],
    [
      'of HTML in a cell',
      '| A |\n|---|\n| <h3>Start</h3> |\n',
      { Start: 'Inicio' },
      `| A |\n|---|\n| <h3>Inicio${tag('start')}</h3> |\n`,
    ],
    ['of another script', '## はじめに\n', { はじめに: 'Inicio' }, `## Inicio ${tag('はじめに')}\n`],
    [
      'that repeats another one',
      '## Start\n\n## Start\n\n## API\n\n## API\n',
      { Start: 'Inicio' },
      `## Inicio ${tag('start')}\n\n## Inicio ${tag('start-1')}\n\n## API\n\n## API\n`,
    ],
    [
      'that takes the anchor of another one',
      '## One\n\n## Two\n',
      { One: 'Two' },
      `## Two ${tag('one')}\n\n## Two ${tag('two')}\n`,
    ],
    [
      'that has a number only as long as another one has no anchor',
      '## One\n\n## Two 1\n',
      { One: 'Two', 'Two 1': 'Two' },
      `## Two ${tag('one')}\n\n## Two ${tag('two-1')}\n`,
    ],
  ])('%s keeps the anchor of its source', (_, markdown, texts, joined) => {
    expect(translated(markdown, texts, {})).toBe(joined);
    expect(anchorsIn(joined)).toEqual(anchorsIn(markdown));
  });

  it.each<[name: string, markdown: string, texts: Record<string, string>, joined: string]>([
    ['keeps its words', '## API\n\nText\n', { API: 'API', Text: 'Texto' }, '## API\n\nTexto\n'],
    ['differs in case and marks only', '## The API\n', { 'The API': 'the API!' }, '## the API!\n'],
    ['has an anchor', `## A ${tag('x')}\n`, { A: 'B' }, `## B ${tag('x')}\n`],
    ['has another anchor than its words', `## A <a id="Ä b"></a>\n`, { A: 'B' }, `## B <a id="Ä b"></a>\n`],
    ['has an anchor in front', '## <a name="x"></a> A\n', { A: 'B' }, '## <a name="x"></a> B\n'],
    ['has an id in HTML', '<h2 id="a">A</h2>\n', { A: 'B' }, '<h2 id="a">B</h2>\n'],
    [
      'has a longer anchor than there are',
      `## ${'a'.repeat(200)}\n\n## ${'a'.repeat(200)}\n`,
      { ['a'.repeat(200)]: 'B' },
      `## B ${tag('a'.repeat(200))}\n\n## B\n`,
    ],
    [
      'would end in markup that swallows the anchor',
      'Text\n\n## A <!B\n',
      { Text: 'Texto' },
      'Texto\n\n## A <!B\n',
    ],
    [
      'would become another block with an anchor',
      '<h2>A <img src="b.png" alt="</h2>\n\nText\n\n## B\n',
      { Text: 'Texto', B: 'C' },
      '<h2>A <img src="b.png" alt="</h2>\n\nTexto\n\n## C\n',
    ],
    [
      'stands in a footnote, where none has an anchor',
      'A[^1]\n\n[^1]: ## B\n',
      { B: 'C' },
      'A[^1]\n\n[^1]: ## C\n',
    ],
    ['is one of code', '    ## A\n\nB\n', { B: 'C' }, '    ## A\n\nC\n'],
  ])('gets no anchor when it %s', (_, markdown, texts, joined) => {
    expect(translated(markdown, texts, {})).toBe(joined);
  });

  it('gets no anchor in a page that would be too long to read', () => {
    const heading = 'a'.repeat(100);
    const long = `## ${heading}\n\n${'1'.repeat(maxSource - 150)}\n`;
    expect(translated(long, { [heading]: 'B' }, {})).toBe(long.replace(heading, 'B'));
  });

  it('keeps the anchor beside a text that keeps its source', () => {
    const markdown = '## Start\n\n[a](b.md) and [c](d.md)\n';
    const nested = '<g id="1">A <g id="2">C</g></g>';
    const texts = { Start: 'Inicio', '<g id="1">a</g> and <g id="2">c</g>': nested };
    expect(translated(markdown, texts, {})).toBe(markdown.replace('Start', `Inicio ${tag('start')}`));
  });

  it('may have another anchor without titles', () => {
    expect(translated('## A\n', { A: 'B' })).toBe('## B\n');
  });
});

describe('the title line of a page', () => {
  const markdown = '# Start\n\n## Start\n\n## Start\n';
  const texts = { Start: 'Inicio' };

  it('has no anchor, and does not count', () => {
    const joined = translated(markdown, texts, { source: 'start!', result: 'Inicio' });
    expect(joined).toBe(`# Inicio\n\n## Inicio ${tag('start')}\n\n## Inicio ${tag('start-1')}\n`);
    expect(anchorsIn(joined, 'Inicio')).toEqual(anchorsIn(markdown, 'Start'));
  });

  it('is treated as a heading if it differs from the title', () => {
    const joined = translated(markdown, texts, { source: 'Guide', result: 'Guía' });
    expect(joined.split('\n')[0]).toBe(`# Inicio ${tag('start')}`);
    expect(anchorsIn(joined, 'Guía')).toEqual(anchorsIn(markdown, 'Guide'));
  });

  it('takes no anchor from a heading when a person has renamed the translated page', () => {
    const source = '# Start\n\n## Inicio\n';
    const joined = translated(source, texts, { source: 'Start', result: 'Principio' });
    expect(joined).toBe(`# Inicio\n\n## Inicio ${tag('inicio')}\n`);
  });
});

describe('pages of random headings', () => {
  const words = fc.constantFrom('one', 'two', 'Two', 'API', '`code`', ':tada:', '1', '**bold**', '[x](y.md)');
  const heading = fc.record({
    words: fc.array(words, { minLength: 1, maxLength: 3 }),
    anchor: fc.constantFrom('', '', '', ` ${tag('one')}`, ` ${tag('zwei')}`),
    form: fc.constantFrom('## *', '> ### *', '* ## *', '*\n---', '<h2>*</h2>', '<h3 id="z">*</h3>', '# *'),
  });

  it('keep all anchors, and get no new ones when nothing is translated', () => {
    fc.assert(
      fc.property(fc.array(heading, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (headings, eol) => {
        const blocks = headings.map(({ words: some, anchor, form }) =>
          form.replace('*', some.join(' ') + anchor),
        );
        const markdown = ['Text', ...blocks, ''].join('\n\n').replaceAll('\n', eol);
        const joined = translated(markdown, pseudoLocale, {});
        expect(anchorsIn(joined)).toEqual(anchorsIn(markdown));
        expect(translated(markdown, (text) => text, {})).toBe(markdown);
        const cut = (text: string) => segmentPage(encode(text)).segments;
        const again = cut(joined).map(({ text }) => text);
        expect(again).toEqual(cut(translated(markdown, pseudoLocale)).map(({ text }) => text));
      }),
    );
  });
});

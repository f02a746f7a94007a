import { describe, expect, it } from 'vitest';
import { pageFactsVersion, scanPage } from './scanPage.ts';
import type { PageFacts } from './types.ts';
import { bound } from '../../../../test/support/machine.ts';

const scan = (file: string): PageFacts => scanPage(new TextEncoder().encode(file));

describe('the title of a page', () => {
  it.each([
    ['# Title\n\nText', 'Title'],
    ['\n \n  # Title  \nText', 'Title'],
    ['#\tTitle ##\n', 'Title'],
    ['# Title#\n', 'Title#'],
    ['# C# and F#\r\n', 'C# and F#'],
    ['# **Bold**, _it_, `code` and [link](x.md)\n', 'Bold, it, code and link'],
    ['# Title <a href="#title" id="title"></a>\n', 'Title'],
    ['# Title <mark style="color:red;">red</mark>\n', 'Title red'],
    ['# List<T> and Map<K, V>\n', 'List<T> and Map<K, V>'],
    ['# a\\_b \\# &amp; &#x41;&nbsp;&copy;\n', 'a_b # & A\u00a0©'],
    ['# ![the logo](logo.png) Name\n', 'the logo Name'],
    ['# 温室 🌱\n', '温室 🌱'],
    ['# snake_case_name and 2*3*4\n', 'snake_case_name and 234'],
    ['Title\n=====\n', 'Title'],
    ['Two\nlines\n===\n', 'Two lines'],
    ['# Title\r\n\r\nText\r\n', 'Title'],
    ['# Title\rText', 'Title'],
    ['---\ntitle: Other\n---\n# Title\n', 'Title'],
    ['\uFEFF# Title\n', 'Title'],
  ])('of %j is “%s”', (file, title) => {
    expect(scan(file).h1).toBe(title);
  });

  it.each([
    '',
    'Text',
    '#Title\n',
    '####### Seven\n',
    '## Two\n',
    '    # Code\n',
    '```\n# Never closed\n',
    '#\n',
    '# <a id="x"></a>\n',
    '* item\n===\n',
    '[a]: b.md\nTitle\n===\n',
    'Intro.\n\n# Title\n\n# Second\n',
    '## Sub\n\n# Title\n',
    '```\n# no\n```\n# Title\n',
    '~~~ md\n# no\n```\n~~~\n# Title\n',
    '<!--\n\n# no\n\n-->\n# Title\n',
    '    # code\n\n# Title\n',
    '> # quoted\n\n# Title\n',
    '* # listed\n\n  # also listed\n\n# Title\n',
    '{% hint style="info" %}\nText\n{% endhint %}\n\n# Title\n',
    '<div align="center">\n\n# Title\n\n</div>\n',
    '#\n\n# Title\n',
    `# ${'x'.repeat(10_001)}\n`,
  ])('is absent in %j', (file) => {
    expect(scan(file).h1).toBeUndefined();
  });
});

describe('the targets of a page', () => {
  it.each<[markdown: string, targets: string[] | undefined]>([
    ['![](a.png) and [b](<b c.pdf> "B")', ['a.png', 'b c.pdf']],
    [
      '![](a(1).png) [x](a\\_b.zip) [y](a%20b.zip) [z](a&amp;b.zip)',
      ['a(1).png', 'a_b.zip', 'a%20b.zip', 'a&b.zip'],
    ],
    ['[![](badge.svg)](chart.csv)', ['badge.svg', 'chart.csv']],
    ['[ref]: ../files/x.pdf "X"\n\n[ref]', ['../files/x.pdf']],
    ['[ref]:\n  <x y.pdf>\n\n[ref]', ['x y.pdf']],
    ['<figure><img src="../.gitbook/assets/a b.png" alt=""></figure>', ['../.gitbook/assets/a b.png']],
    [`<a href='x.zip'>x</a> <video src=clip.mp4 poster="p.jpg"></video>`, ['x.zip', 'clip.mp4', 'p.jpg']],
    ['<source srcset="a.webp 1x, b.webp 2x" media="x"><img data-src="c.png">', ['a.webp', 'b.webp', 'c.png']],
    [
      '{% file src="../.gitbook/assets/x (1).pdf" %}\n\n{% openapi src="./openapi.json" path="/" %}\n',
      ['../.gitbook/assets/x (1).pdf', './openapi.json'],
    ],
    ['{% file src=“quoted.pdf” %}', ['quoted.pdf']],
    ['{% file src="unclosed.pdf %}', ['unclosed.pdf']],
    [
      '[page](other.md) [part](other.md#part) [up](../README.md?x) [anchor](#a) [site](https://x.org/a.png) [mail](mailto:a@b.c) [cdn](//x.org/a.png)',
      undefined,
    ],
    ['[gone](/broken/files/abc) [old](broken-reference) [folder](sub/) []()', undefined],
    ['`![](a.png)` and ``[x`](b.pdf)`` but ![](c.png)', ['c.png']],
    ['\\`![](a.png)`', ['a.png']],
    ['```\n![](a.png)\n```\n\n    ![](b.png)\n\n![](c.png)', ['c.png']],
    ['> ```\n> ![](a.png)\n> ```\n\n* ![](b.png)', ['b.png']],
    ['<div>\n```\n<img src="a.png">\n```\n</div>', ['a.png']],
    ['[a](x.pdf) ![b](x.pdf)', ['x.pdf']],
    ['| a |\n|---|\n| ![](cell.png) |', ['cell.png']],
    ['[a](LICENSE) [b](config.yaml#L3)', ['LICENSE', 'config.yaml#L3']],
  ])('of %j are %j', (markdown, targets) => {
    expect(scan(`# T\n\n${markdown}\n`).targets).toEqual(targets);
  });
});

describe('the frontmatter of a page', () => {
  const read = (yaml: string) => scan(`---\n${yaml}\n---\n\n# T\n`);

  it('is read with every known key', () => {
    const yaml = `description: >-
  Two
  lines
icon: seedling
emoji: 🌱
hidden: true
noIndex: true
noRobotsIndex: false
if: visitor.claims.a == 1
title: Other
cover: {light: a.png, dark: 'https://x.org/d.png'}
coverY: -3.5
coverHeight: 300
tags: [one, {tag: two, primary: true}, {tag: three, primary: false}]
vars: {name: Fern, count: 3, open: false, __proto__: x}
layout:
  width: wide
  title: {visible: false}
  description: {visible: true}
  tableOfContents: {visible: false}
  outline: {visible: true}
  pagination: {visible: false}
  metadata: {visible: true}
  tags: {visible: false}
  actions: {visible: true}
  anchors: {visible: false}
  cover: {visible: true, size: background, mask: radial}`;
    expect(read(yaml)).toEqual({
      version: pageFactsVersion,
      h1: 'T',
      frontmatter: {
        description: 'Two lines',
        icon: 'seedling',
        emoji: '1f331',
        hidden: true,
        noIndex: true,
        noRobotsIndex: false,
        condition: 'visitor.claims.a == 1',
        title: 'Other',
        cover: { light: 'a.png', dark: 'https://x.org/d.png' },
        coverY: -3.5,
        coverHeight: 300,
        tags: [{ tag: 'one' }, { tag: 'two', primary: true }, { tag: 'three' }],
        variables: [
          { name: 'name', value: 'Fern' },
          { name: 'count', value: 3 },
          { name: 'open', value: false },
          { name: '__proto__', value: 'x' },
        ],
        layout: {
          width: 'wide',
          title: false,
          description: true,
          tableOfContents: false,
          outline: true,
          pagination: false,
          metadata: true,
          tags: false,
          actions: true,
          anchors: false,
          cover: true,
          coverSize: 'background',
          coverMask: 'radial',
        },
      },
    });
  });

  it('survives a round trip through JSON', () => {
    const facts = read('coverY: .nan\ncoverHeight: .inf\nvars: {a: .nan}\ndescription: "\\ud800"');
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    expect(facts.frontmatter).not.toHaveProperty('coverY');
  });

  it('keeps texts that look like numbers as written', () => {
    expect(read('description: 1.10\ntags: [2.0]').frontmatter).toEqual({
      description: '1.10',
      tags: [{ tag: '2.0' }],
    });
  });

  it('reports unused keys, and values of the wrong kind', () => {
    const { frontmatter, problems } = read(
      'slug: x\nauthor: y\nhidden: perhaps\ndescription: [a]\ntags: [{}]\nlayout: {width: huge}\nicon:\nvars: {a: [1]}',
    );
    expect(frontmatter).toBeUndefined();
    expect(problems?.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'frontmatter_value `hidden` must be true or false; it is ignored.',
      'frontmatter_value `description` must be a text; it is ignored.',
      'frontmatter_value `tags` must be a list of texts or of {tag, primary}; what is neither is ignored.',
      'frontmatter_value `layout` has an unknown width; it must be one of default, wide.',
      'frontmatter_value The variable “a” must be a text, a number or true or false; it is ignored.',
      'frontmatter_unknown Frontmatter keys that are kept but not used: “slug, author”.',
    ]);
  });

  it.each(['a: "b', 'just text', '- list', 'a: &x 1\nb: *x', `a: ${'x'.repeat(64_001)}`])(
    'drops all fields and keeps the page when it is %j',
    (yaml) => {
      const { h1, frontmatter, problems } = read(yaml);
      expect([h1, frontmatter, problems?.map(({ code }) => code)]).toEqual([
        'T',
        undefined,
        ['frontmatter_yaml'],
      ]);
    },
  );

  it('may be empty', () => {
    expect(read('# only a comment')).toEqual({ version: pageFactsVersion, h1: 'T' });
  });
});

describe('a large or hostile page', () => {
  it('is kept without reading its body beyond the limit', () => {
    const facts = scan(`---\nicon: x\n---\n# T\n${'a'.repeat(2_000_001)}`);
    expect(facts).toMatchObject({ frontmatter: { icon: 'x' }, problems: [{ code: 'page_size' }] });
    expect(facts).not.toHaveProperty('h1');
  });

  const repeated = (text: string) => text.repeat(Math.floor(1_900_000 / text.length));
  it.each<[name: string, file: string]>([
    ['quotes', repeated(`${'>'.repeat(5000)} x\n`)],
    ['a nested list', Array.from({ length: 1300 }, (_, level) => `${'  '.repeat(level)}* a`).join('\n')],
    ['brackets', repeated('[a](<b')],
    ['unclosed destinations', repeated('](a(')],
    ['unclosed attributes', repeated('src="a src=\'')],
    ['backticks', repeated('` `` ``` ')],
    ['reference definitions', repeated('[a]: <b\n')],
    ['carriage returns', repeated('\r')],
    ['almost headings', repeated('=====x\n')],
    ['a heading of stars', `# ${repeated('*a_')}`],
    ['unclosed frontmatter', `---\n${repeated('--- a\n')}`],
    ['zero bytes', repeated('\0')],
  ])('takes linear time: %s', (_, file) => {
    const start = performance.now();
    scan(file);
    expect(performance.now() - start).toBeLessThan(bound(5_000));
  });
});

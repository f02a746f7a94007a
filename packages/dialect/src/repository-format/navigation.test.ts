import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../../test/support/independentReader.ts';
import { memoryRepository } from '../../../../test/support/memoryRepository.ts';
import { navigationOf } from '../../../../test/support/navigationLines.ts';
import { readSpaceContent } from './reader/readSpaceContent.ts';
import type { SpaceContent } from './types.ts';
import { bound } from '../../../../test/support/machine.ts';

const pages = {
  'README.md': '# Home',
  'a.md': '# A',
  'b.md': '# B',
  'c/README.md': '# C',
  'c/d.md': '# D',
  'no-h1.md': 'Text',
  'empty.md': '',
};

const read = (summary: string, files: Record<string, string> = {}): Promise<SpaceContent> =>
  readSpaceContent(memoryRepository({ ...pages, 'SUMMARY.md': summary, ...files }), { projectDirectory: '' });
const linesOf = (content: SpaceContent) => navigationOf(content).map(lineOf);
const codesOf = ({ warnings }: SpaceContent) => warnings.map(({ code }) => code);
const targetsOf = ({ pages: found }: SpaceContent) =>
  found.map((page) => (page.type === 'link' ? page.target : page.type));

describe('SUMMARY.md', () => {
  it.each<[name: string, summary: string, lines: string[]]>([
    [
      'a title and a list',
      '# Table of contents\n\n* [Home](README.md)\n* [A](a.md)',
      ['page Home | README.md', 'page A | a.md'],
    ],
    ['no title', '* [A](a.md)', ['page A | a.md']],
    ['frontmatter', '---\ntitle: x\n---\n\n# T\n\n* [A](a.md)', ['page A | a.md']],
    [
      'other bullets and numbers',
      '- [A](a.md)\n\n+ [B](b.md)\n\n1. [C](c/README.md)',
      ['page A | a.md', 'page B | b.md', 'page C | c/README.md'],
    ],
    [
      'nested entries',
      '* [A](a.md)\n  * [B](b.md)\n    * [C](c/README.md)\n  * [D](c/d.md)',
      ['page A | a.md', '  page B | b.md', '    page C | c/README.md', '  page D | c/d.md'],
    ],
    [
      'four spaces a level',
      '- [A](a.md)\n    - [B](b.md)\n        - [D](c/d.md)',
      ['page A | a.md', '  page B | b.md', '    page D | c/d.md'],
    ],
    ['tabs', '* [A](a.md)\n\t* [B](b.md)', ['page A | a.md', '  page B | b.md']],
    [
      'blank lines between entries',
      '* [A](a.md)\n\n  * [B](b.md)\n\n\n* [D](c/d.md)',
      ['page A | a.md', '  page B | b.md', 'page D | c/d.md'],
    ],
    [
      'groups',
      '# T\n\n* [A](a.md)\n\n## One <a href="#one" id="one"></a>\n\n* [B](b.md)\n\n## Two\n',
      ['page A | a.md', 'group One', '  page B | b.md', 'group Two'],
    ],
    [
      'groups of other levels',
      '# T\n\n### One\n\n* [A](a.md)\n\n# Two\n\n* [B](b.md)',
      ['group One', '  page A | a.md', 'group Two', '  page B | b.md'],
    ],
    [
      'a rule that ends a group',
      '## One\n\n* [A](a.md)\n\n***\n\n* [B](b.md)\n\n---\n\n* [D](c/d.md)',
      ['group One', '  page A | a.md', 'page B | b.md', 'page D | c/d.md'],
    ],
    [
      'markup in titles',
      '## **Bold** & `code` \\_x\\_ &amp; 温室\n\n* [**A** `b` \\[c\\] &lt;](https://x.org)',
      ['group Bold & code _x_ & 温室', '  link A b [c] <'],
    ],
    [
      'a group title of any length',
      `## ${'long '.repeat(60)}end\n\n* [A](a.md)`,
      [`group ${'long '.repeat(60)}end`, '  page A | a.md'],
    ],
    ['a label that differs', '* [The A](a.md)', ['page The A | a.md']],
    [
      'a link title',
      '* [A](a.md "Short")\n* [The B](b.md \'Brief\')\n* [Away](https://x.org "Out")',
      ['page A [Short] | a.md', 'page The B [Brief] | b.md', 'link Away [Out]'],
    ],
    ['a link title that says the same', '* [A](a.md "A")', ['page A | a.md']],
    [
      'pages without a heading',
      '* [The label](no-h1.md)\n* [Empty](empty.md "E")\n* [](c/d.md)',
      ['page The label | no-h1.md', 'page Empty [E] | empty.md', 'page D | c/d.md'],
    ],
    ['nothing to title a page by', '* [](no-h1.md)', ['page no-h1 | no-h1.md']],
    [
      'links inside of markup',
      '* **[A](a.md)**\n* Text before [B](b.md) and behind',
      ['page A | a.md', 'page B | b.md'],
    ],
    [
      'references',
      '* [A][one]\n* [b.md]\n\n[one]: a.md\n[b.md]: b.md "Short"',
      ['page A | a.md', 'page b.md [Short] | b.md'],
    ],
    ['an autolink', '* <https://x.org/a_b>', ['link https://x.org/a_b']],
    [
      'entries without link',
      '* **Chapter**\n  * [A](a.md)\n* Plain\n* [Empty]()',
      ['empty Chapter', '  page A | a.md', 'empty Plain', 'empty Empty'],
    ],
    ['entries without anything', '*\n*\n  * [A](a.md)\n', ['page A | a.md']],
    ['a list in a quote', '> * [A](a.md)', ['page A | a.md']],
    ['a comment', '<!-- * [A](a.md) -->\n\n* [B](b.md)', ['page B | b.md']],
    ['lazy lines', '* [A\n  long](a.md)', ['page A long | a.md']],
  ])('may contain %s', async (_, summary, lines) => {
    expect(linesOf(await read(summary))).toEqual(lines);
  });

  it('is used even if it is empty', async () => {
    const content = await read('# Table of contents\n');
    expect([content.pages, codesOf(content)]).toEqual([[], ['summary_empty']]);
  });

  it('creates no page for a file that it does not list', async () => {
    expect(linesOf(await read('* [A](a.md)'))).toEqual(['page A | a.md']);
  });

  it('reports links that are not entries, with their line', async () => {
    const { warnings } = await read('# T\n\nSee [x](a.md).\n\n* [A](a.md) [B](b.md)\n\n  also [C](c/d.md)\n');
    expect(warnings.map(({ code, message, path }) => `${code} ${path} ${message.split(':')[0]}`)).toEqual([
      'summary_ignored SUMMARY.md Line 3',
      'summary_ignored SUMMARY.md Line 7',
      'summary_ignored SUMMARY.md Line 5',
    ]);
  });
});

describe('a target in SUMMARY.md', () => {
  const odd = {
    'with space.md': '# Space',
    'under_score.md': '# Under',
    '温室.md': '# 温室',
    'p\u00e9p.md': '# Pép',
    '100%.md': '# Percent',
    'a%20b.md': '# Raw',
    'x(1).md': '# Paren',
    'hash#tag.md': '# Hash',
    'q/x.md': '# X',
    'q/x/README.md': '# X folder',
  };

  it.each([
    ['<with space.md>', 'with space.md'],
    ['with%20space.md', 'with space.md'],
    ['under\\_score.md', 'under_score.md'],
    ['%E6%B8%A9%E5%AE%A4.md', '温室.md'],
    ['温室.md', '温室.md'],
    ['pe\u0301p.md', 'p\u00e9p.md'],
    ['100%.md', '100%.md'],
    ['a%20b.md', 'a%20b.md'],
    ['x(1).md', 'x(1).md'],
    ['x\\(1\\).md', 'x(1).md'],
    ['hash%23tag.md', 'hash#tag.md'],
    ['hash#tag.md', 'hash#tag.md'],
    ['/a.md', 'a.md'],
    ['./c/../a.md', 'a.md'],
    ['a', 'a.md'],
    ['c', 'c/README.md'],
    ['c/', 'c/README.md'],
    ['q/x', 'q/x/README.md'],
    ['q/x.md', 'q/x.md'],
    ['a.md#', 'a.md'],
    ['.', 'README.md'],
  ])('%s is the file %s', async (target, path) => {
    const content = await read(`* [L](${target})`, odd);
    expect(navigationOf(content).map((page) => page.path)).toEqual([path]);
    expect(content.warnings).toEqual([]);
  });

  it.each([
    ['gone.md', 'summary_missing_file'],
    ['A.md', 'summary_missing_file'],
    ['#anchor', 'summary_missing_file'],
    ['broken-reference', 'summary_missing_file'],
    ['c\\\\d.md', 'summary_missing_file'],
    ['../outside.md', 'summary_outside'],
    ['%2e%2e/outside.md', 'summary_outside'],
    ['c/../../../etc/passwd', 'summary_outside'],
  ])('%s has no file and stays a link', async (target, code) => {
    const content = await read(`* [L](${target})\n`);
    expect(content.pages).toEqual([
      { type: 'link', title: 'L', target: { kind: 'url', url: target.replace('\\\\', '\\') } },
    ]);
    // A path cannot contain a backslash, so such a target is never inside.
    expect(codesOf(content)).toEqual([target.includes('\\') ? 'summary_outside' : code]);
  });

  it('may be a URL, another space or a file', async () => {
    const content = await read(
      '* [](https://x.org/?a=1&b=2#c)\n* [M](mailto:a@b.c)\n* [R](//x.org)\n* [S](https://app.gitbook.com/s/abc123)\n* [O](https://app.gitbook.com/o/org1/s/abc/x/y?z#w)\n* [F](spec.json)\n* [](LICENSE)',
      { 'spec.json': '{}', LICENSE: 'x' },
    );
    expect(targetsOf(content)).toEqual([
      { kind: 'url', url: 'https://x.org/?a=1&b=2#c' },
      { kind: 'url', url: 'mailto:a@b.c' },
      { kind: 'url', url: '//x.org' },
      { kind: 'space', space: 'abc123' },
      { kind: 'space', space: 'abc', path: 'x/y?z#w' },
      { kind: 'git-file', path: 'spec.json' },
      { kind: 'git-file', path: 'LICENSE' },
    ]);
    expect([content.pages[0]?.title, content.pages[6]?.title]).toEqual([
      'https://x.org/?a=1&b=2#c',
      'LICENSE',
    ]);
    expect(content.files.map(({ name }) => name)).toEqual(['LICENSE', 'spec.json']);
  });

  it('is a link if it has an anchor, even if the page itself is listed', async () => {
    const content = await read(
      '* [Part](a.md#part)\n* [A](a.md)\n* [Other part](/a.md#other)\n* [Lost](b.md#part)',
    );
    expect(targetsOf(content)).toEqual([
      { kind: 'git-page', path: 'a.md', anchor: 'part' },
      'document',
      { kind: 'git-page', path: 'a.md', anchor: 'other' },
      { kind: 'url', url: 'b.md#part' },
    ]);
    expect(codesOf(content)).toEqual(['summary_anchor']);
  });

  it('is a link to the page if it was listed before', async () => {
    const content = await read('* [A](a.md)\n* [Again](./a.md "Ag")\n  * [B](b.md)\n* [Third](a)');
    expect(linesOf(content)).toEqual(['page A | a.md', 'link Again [Ag]', 'page B | b.md', 'link Third']);
    expect(codesOf(content)).toEqual(['summary_duplicate', 'summary_children', 'summary_duplicate']);
  });
});

describe('a computed entry', () => {
  const block = (yaml: string, indent = '  ') =>
    `* \`\`\`yaml\n${yaml.replaceAll(/^/gm, indent)}\n${indent}\`\`\``;
  const source = (props: string) =>
    `type: builtin:openapi\n${props}dependencies:\n  spec:\n    ref:\n      kind: openapi\n      spec: shop-api`;

  it.each<[name: string, props: string, expected: object]>([
    ['no props', '', { models: true }],
    ['empty props', 'props: {}\n', { models: true }],
    [
      'all props',
      'props:\n  models: false\n  downloadLink: true\n  grouping: by-operation\n  expandOperations: false\n',
      { models: false, downloadLink: true, grouping: 'by-operation' },
    ],
    ['props of the wrong kind', 'props: {models: maybe, grouping: x}\n', { models: true }],
  ])('is a computed page, with %s', async (_, props, expected) => {
    const content = await read(block(source(props)));
    expect(content.pages).toEqual([
      {
        type: 'computed',
        title: 'shop-api',
        computed: {
          type: 'builtin:openapi',
          props: expected,
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop-api' } } },
        },
      },
    ]);
    expect(content.warnings).toEqual([]);
  });

  it('may be below a page, in any order of keys, next to a label', async () => {
    const content = await read(
      `* [A](a.md)\n  ${block('props: {}\ndependencies: {spec: {ref: {spec: s1, kind: openapi}}}\ntype: builtin:openapi', '    ')}\n* Endpoints\n\n  \`\`\`yaml\n  ${source('').replaceAll('\n', '\n  ')}\n  \`\`\``,
    );
    expect(linesOf(content)).toEqual(['page A | a.md', '  computed s1', 'computed shop-api']);
  });

  it('may be a translation', async () => {
    const content = await read(
      block(
        'type: builtin:translation\ndependencies: {translation: {ref: {kind: translation, translation: t1}}}',
      ),
    );
    expect(content.pages).toEqual([
      {
        type: 'computed',
        title: 't1',
        computed: {
          type: 'builtin:translation',
          props: {},
          dependencies: { translation: { ref: { kind: 'translation', translation: 't1' } } },
        },
      },
    ]);
  });

  it.each([
    ['type: builtin:openapi\nprops:\n  models: true', 'OpenAPI'],
    ['type: builtin:openapi\ndependencies: {spec: x}', 'OpenAPI'],
    ['type: builtin:translation', 'Translation'],
    ['type: builtin:unheard-of', 'Untitled'],
    ['a: "b', 'Untitled'],
    ['text', 'Untitled'],
  ])('is an empty page if it has no source: %j', async (yaml, title) => {
    const content = await read(block(yaml));
    expect(content.pages).toEqual([
      {
        type: 'document',
        title,
        slug: title.toLowerCase(),
        path: title.toLowerCase(),
        hidden: false,
        noIndex: false,
        noRobotsIndex: false,
        layout: {},
        pages: [],
      },
    ]);
    expect(codesOf(content)).toEqual(['summary_computed']);
  });
});

describe('paths of pages', () => {
  const pathsOf = async (summary: string, files: Record<string, string> = {}) => {
    const found: string[] = [];
    const walk = (list: SpaceContent['pages']) => {
      for (const page of list) {
        if ('path' in page) found.push(page.path);
        if ('pages' in page) walk(page.pages);
      }
    };
    walk((await read(summary, files)).pages);
    return found;
  };

  it('follow the navigation, with each segment the name of a file', async () => {
    expect(await pathsOf('## Group\n\n* [D](c/d.md)\n  * [Home](README.md)\n    * [C](c/README.md)')).toEqual(
      ['group', 'group/d', 'group/d/readme', 'group/d/readme/c'],
    );
  });

  it('are complemented by the paths of their files, if these differ', async () => {
    const { pages } = await read(
      '* [Home](README.md)\n* [D](c/d.md)\n  * [A](a.md)\n* [C](c/README.md)\n  * [E](c/d/e.md)',
      {
        'c/d/e.md': '',
      },
    );
    expect(pages).toMatchObject([
      { path: 'readme' },
      { path: 'd', filePath: 'c/d', pages: [{ path: 'd/a', filePath: 'a' }] },
      { path: 'c', pages: [{ path: 'c/e', filePath: 'c/d/e' }] },
    ]);
    expect(pages[0]).not.toHaveProperty('filePath');
    expect(pages[2]).not.toHaveProperty('filePath');
  });

  it('may be equal only below different pages', async () => {
    const files = { 'one/x.md': '', 'two/x.md': '', 'two/x/README.md': '', '.md': '', '..md': '' };
    expect(
      await pathsOf(
        '* [A](a.md)\n  * [1](one/x.md)\n* [C](c)\n  * [2](two/x.md)\n  * [3](two/x/)\n  * x\n* [4](.md)\n* [5](..md)',
        files,
      ),
    ).toEqual(['a', 'a/x', 'c', 'c/x', 'c/x-1', 'c/x-2', 'page', 'page-1']);
  });

  it('get a number on a collision, except for the first page', async () => {
    const files = { 'X.md': '', 'x.md': '', 'x!.md': '', 'x-.md': '', 'x-1.md': '', 'x/README.md': '' };
    expect(
      await pathsOf(
        '* [1](X.md)\n* [2](x.md)\n* [3](x!.md)\n* [4](x-.md)\n* [5](x-1.md)\n* [6](x/README.md)',
        files,
      ),
    ).toEqual(['x', 'x-2', 'x-', 'x--1', 'x-1', 'x-3']);
  });

  it('of pages without a file follow the titles above them, and yield to other paths', async () => {
    expect(
      await pathsOf(
        '* Über uns\n  * Team & more\n* Über uns\n\n## A\n\n* Label\n  * [A](a.md)\n* [C](c/README.md)\n  * D\n* 🌱\n',
      ),
    ).toEqual([
      'uber-uns',
      'uber-uns/team-more',
      'uber-uns-1',
      'a',
      'a/label',
      'a/label/a',
      'a/c',
      'a/c/d',
      'a/page',
    ]);
  });

  it('support names of inherited properties', async () => {
    const files = { '__proto__.md': '# P', 'constructor/README.md': '# C', 'toString.md': '# S' };
    expect(
      await pathsOf(
        '* [P](\\_\\_proto\\_\\_.md)\n* [C](constructor)\n* [S](toString.md)\n* __proto__',
        files,
      ),
    ).toEqual(['__proto__', 'constructor', 'tostring', 'proto']);
  });
});

describe('hostile navigation', () => {
  it('may nest 500 deep: pages move up to level 64', async () => {
    const names = Array.from({ length: 300 }, (_, level) => `n${level}.md`);
    const content = await read(
      names.map((name, level) => `${'  '.repeat(level)}* [${name}](${name})`).join('\n'),
      Object.fromEntries(names.map((name) => [name, `# ${name}`])),
    );
    const lines = navigationOf(content);
    expect(lines).toHaveLength(300);
    expect(Math.max(...lines.map(({ depth }) => depth))).toBe(63);
    expect(codesOf(content)).toEqual(['summary_depth']);
    const deeper = await read(
      Array.from({ length: 1000 }, (_, level) => `${'  '.repeat(level)}* x`).join('\n'),
    );
    expect(codesOf(deeper)).toEqual(['summary_depth']);
  });

  const repeated = (text: string, length = 1_900_000) => text.repeat(Math.floor(length / text.length));
  it.each([
    ['quotes', repeated(`${'>'.repeat(5000)} x\n`)],
    ['brackets', repeated(`* ${'['.repeat(9000)}\n`)],
    ['unclosed links', repeated('[a](<b')],
    ['stars', repeated(`* ${'*a **b '.repeat(1200)}\n`)],
    ['lists on one line', repeated(`${'* '.repeat(390)}a\n`, 900_000)],
    ['one entry without end', `* ${repeated('[a](b ')}`],
    ['references', repeated('[a]: <b\n')],
  ])('takes bounded time: %s', async (_, summary) => {
    const start = performance.now();
    await read(summary).catch((error: unknown) => expect(error).toMatchObject({ code: 'limit' }));
    expect(performance.now() - start).toBeLessThan(bound(15_000));
  });

  it('fails with a limit for too many pages', async () => {
    await expect(read('* a\n'.repeat(50_001))).rejects.toMatchObject({ code: 'limit' });
    await expect(read('a'.repeat(2_000_001))).rejects.toMatchObject({ code: 'too_large' });
  });

  it('repeats a warning a limited number of times', async () => {
    const content = await read('* [x](gone.md)\n'.repeat(1000));
    expect(content.warnings).toHaveLength(201);
    expect(content.warnings.at(-1)?.message).toMatch(/^800 more/);
  });
});

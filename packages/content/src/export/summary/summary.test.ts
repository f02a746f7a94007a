import { describe, expect, it } from 'vitest';
import { memoryRepository } from '../../../../../test/support/memoryRepository.ts';
import { wantedNavigation } from '../../../../../test/support/wantedNavigation.ts';
import { indexRepository } from '@bindery/dialect/repository-format';
import { writeSummary } from './summary.ts';
import { partsOf, planOf } from './summarySource.ts';
import type { NavigationPage } from '../types.ts';

const headings = new Map([
  ['README.md', 'Home'],
  ['a.md', 'A'],
  ['b.md', 'B'],
  ['c/README.md', 'C'],
  ['c/d.md', 'D'],
  ['new.md', 'New'],
  ['n_w (1)/ü%#?.md', 'Odd'],
]);
const files = [...headings.keys(), 'plain.md', 'spec.json'];
const { entries } = memoryRepository(Object.fromEntries(files.map((path) => [path, path])));
const place = {
  root: '',
  summary: 'SUMMARY.md',
  entriesBefore: entries,
  entriesAfter: entries,
  moved: new Map<string, string>(),
};

const read = (summary: string): NavigationPage[] =>
  wantedNavigation(
    planOf(partsOf(new TextEncoder().encode(summary), 'SUMMARY.md') ?? [], {
      root: '',
      summary: 'SUMMARY.md',
      repository: indexRepository(entries),
    }),
    headings,
  );
const write = (
  before: string | undefined,
  wanted: readonly NavigationPage[],
  options: Partial<typeof place> = {},
): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    writeSummary(before === undefined ? undefined : new TextEncoder().encode(before), wanted, {
      ...place,
      ...options,
    }),
  );

type Page = Extract<NavigationPage, { kind: 'page' }>;
type Changeable<Value> = Value extends object
  ? { -readonly [Key in keyof Value]: Changeable<Value[Key]> }
  : Value;
type Draft = Changeable<NavigationPage>;
const page = (file: string, more: Partial<Changeable<Page>> = {}): Changeable<Page> => ({
  kind: 'page',
  file,
  title: headings.get(file) ?? file,
  hasHeading: headings.has(file),
  pages: [],
  ...more,
});
const group = (title: string, ...pages: Draft[]): Draft => ({ kind: 'group', title, pages });
const link = (title: string, url: string): Draft => ({ kind: 'link', title, target: { kind: 'url', url } });

/** Reads the navigation of a file, changes it, and writes the file. */
const changed = (before: string, change: (pages: Draft[]) => unknown): string => {
  const pages = read(before) as Draft[];
  change(pages);
  return write(before, pages);
};
const at = (pages: Draft[], ...path: number[]): Changeable<Page> => {
  let list = pages;
  for (const index of path.slice(0, -1)) list = (list[index] as Changeable<Page>).pages;
  return list[path.at(-1) as number] as Changeable<Page>;
};

describe('a new SUMMARY.md', () => {
  it("has GitBook's form", () => {
    const openapi = {
      type: 'builtin:openapi',
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } },
    } as const;
    const wanted: NavigationPage[] = [
      page('README.md', {
        pages: [
          page('a.md', { linkTitle: 'The "A"' }),
          { kind: 'computed', title: 'shop', computed: openapi },
        ],
      }),
      group(
        'One & only',
        page('c/README.md', {
          pages: [page('c/d.md', { pages: [page('plain.md', { title: 'snake_case [x]' })] })],
        }),
      ),
      { kind: 'empty', title: '1. Chapter', pages: [page('n_w (1)/ü%#?.md')] },
      link('Away', 'https://x.org/?a=1&b=(2)'),
      { kind: 'link', title: 'Part', linkTitle: 'P', target: { kind: 'file', path: 'a.md', anchor: 'part' } },
      { kind: 'link', title: 'Spec', target: { kind: 'file', path: 'spec.json' } },
      group('Empty'),
    ];
    expect(write(undefined, wanted)).toBe(`# Table of contents

* [Home](README.md)
  * [A](a.md "The \\"A\\"")
  * \`\`\`yaml
    props:
      models: true
    type: builtin:openapi
    dependencies:
      spec:
        ref:
          kind: openapi
          spec: shop
    \`\`\`

## One & only

* [C](c/README.md)
  * [D](c/d.md)
    * [snake\\_case \\[x\\]](plain.md)

***

* 1\\. Chapter
  * [Odd](<n_w (1)/ü%25%23%3F.md>)
* [Away](https://x.org/?a=1&b=\\(2\\))
* [Part](a.md#part "P")
* [Spec](spec.json)

## Empty
`);
    expect(read(write(undefined, wanted))).toEqual(wanted);
  });

  it('may be empty', () => {
    expect(write(undefined, [])).toBe('# Table of contents\n');
  });

  it('uses paths that lead out of its folder when the content root is another one', () => {
    const summary = write(undefined, [page('a.md'), page('c/d.md')], { summary: 'c/SUMMARY.md' });
    expect(summary).toBe('# Table of contents\n\n* [A](../a.md)\n* [D](d.md)\n');
  });
});

describe('an unchanged navigation', () => {
  it.each<[name: string, summary: string]>([
    ['no title, no line at the end', '- [A](a.md)'],
    [
      'a byte order mark, frontmatter and other line endings',
      '\ufeff---\r\nx: 1\r\n---\r\n\r\n# T\r\n\r\n*   [A](a.md)  \r\n',
    ],
    [
      'labels and titles of any kind',
      "* [The A](a.md)\n* [**B**](<b.md> 'b')\n* [Text](plain.md)\n* [](c/d.md)\n",
    ],
    [
      'targets of any form',
      '* [A](/a)\n* [B](./c/../b.md)\n* [C](c/)\n* [Gone](gone%20x.md)\n* [Out](../x.md)\n* [Again](a.md)\n',
    ],
    ['another space', '* [S](https://app.gitbook.com/o/x/s/abc/path?q)\n'],
    [
      'what is no entry',
      '# T\n\ntext\n\n<!-- * [x](b.md) -->\n\n* [A](a.md) [B](b.md)\n\n  more [C](c/d.md)\n\n[r]: x\n',
    ],
    ['rules that mean nothing', '***\n\n* [A](a.md)\n\n---\n\n## G\n\n---\n\n## H\n'],
    [
      'entries below an item that is not a page',
      '* [X](https://x.org)\n  * [A](a.md)\n* \n  * [B](b.md)\n> * [C](c)\n',
    ],
    ['nothing', ''],
  ])('keeps every byte: %s', (_, summary) => {
    expect(write(summary, read(summary))).toBe(summary);
    const bytes = new TextEncoder().encode(summary);
    expect(writeSummary(bytes, read(summary), place)).toBe(bytes);
  });

  it('keeps bytes that are not UTF-8, even when other lines change', () => {
    const before = Buffer.from('# \xff\n\n* [A](a.md) \xfe\n', 'latin1');
    const after = writeSummary(before, [page('a.md'), page('b.md')], place);
    expect(Buffer.from(after).toString('latin1')).toBe('# \xff\n\n* [A](a.md) \xfe\n* [B](b.md)\n');
  });

  it('includes a link that the file already states, though it is read differently', () => {
    expect(write('* [A](a.md)\n* [Gone](x.md)\n', [page('a.md'), link('Gone', 'x.md')])).toBe(
      '* [A](a.md)\n* [Gone](x.md)\n',
    );
  });
});

const form = `# Contents

-   [Home](README.md)
-   [The A](a.md 'Short')  
    -   **[B](<b.md>)** and more
    -   [Gone](gone.md)

## Group <a href="#g" id="g"></a>

<!-- about C -->

-   [C](/c)
    -   [D](c/d.md#)

***

-   [Again](a.md)
`;

describe('one change', () => {
  it.each<[name: string, change: (pages: Draft[]) => unknown, from: string, to: string]>([
    [
      'a page is new',
      (pages) => pages.splice(1, 0, page('new.md')),
      '-   [The A]',
      '-   [New](new.md)\n-   [The A]',
    ],
    [
      'a page is new below another',
      (pages) => at(pages, 0).pages.push(page('new.md')),
      'README.md)\n',
      'README.md)\n    -   [New](new.md)\n',
    ],
    [
      'a page is new at the end of a group',
      (pages) => at(pages, 2).pages.push(page('new.md')),
      '#)\n',
      '#)\n-   [New](new.md)\n',
    ],
    ['a page is gone', (pages) => at(pages, 1).pages.splice(0, 1), '    -   **[B](<b.md>)** and more\n', ''],
    ['a heading is new', (pages) => Object.assign(at(pages, 1, 0), { title: 'New B' }), '[B]', '[New B]'],
    [
      'a short title is new',
      (pages) => Object.assign(at(pages, 0), { linkTitle: 'H' }),
      '(README.md)',
      '(README.md "H")',
    ],
    [
      'a short title is another',
      (pages) => Object.assign(at(pages, 1), { linkTitle: 'S' }),
      "'Short'",
      '"S"',
    ],
    ['a short title is gone', (pages) => delete at(pages, 1).linkTitle, " 'Short'", ''],
    [
      'a link leads elsewhere',
      (pages) => Object.assign(at(pages, 1, 1), { target: { kind: 'url', url: 'https://x.org' } }),
      'gone.md',
      'https://x.org',
    ],
    ['a link is renamed', (pages) => Object.assign(at(pages, 1, 1), { title: 'Lost' }), '[Gone]', '[Lost]'],
    [
      'a group is renamed',
      (pages) => Object.assign(at(pages, 2), { title: 'Other' }),
      '## Group <a',
      '## Other <a',
    ],
    [
      'a group is new',
      (pages) => pages.push(group('Last', page('new.md'))),
      'Again](a.md)\n',
      'Again](a.md)\n\n## Last\n\n-   [New](new.md)\n',
    ],
    [
      'a page moves with what is below it',
      (pages) => at(pages, 2).pages.push(...(pages.splice(1, 1) as Changeable<Page>[])) && pages.pop(),
      '',
      `# Contents

-   [Home](README.md)

## Group <a href="#g" id="g"></a>

<!-- about C -->

-   [C](/c)
    -   [D](c/d.md#)
-   [The A](a.md 'Short')  
    -   **[B](<b.md>)** and more
    -   [Gone](gone.md)
`,
    ],
    [
      'a page moves deeper',
      (pages) => at(pages, 0).pages.push(...(pages.splice(1, 1) as Changeable<Page>[])),
      "-   [The A](a.md 'Short')  \n    -   **[B](<b.md>)** and more\n    -   [Gone](gone.md)\n",
      "    -   [The A](a.md 'Short')  \n        -   **[B](<b.md>)** and more\n        -   [Gone](gone.md)\n",
    ],
  ])('leaves the other lines alone: %s', (_, change, from, to) => {
    expect(changed(form, change)).toBe(from === '' ? to : form.replace(from, () => to));
  });

  it("of a file's path changes its targets", () => {
    const entriesAfter = new Map(
      [...entries].map(([path, entry]) => [path.replace('a.md', 'a/README.md'), entry]),
    );
    for (const [path, entry] of entriesAfter) entriesAfter.set(path, { ...entry, path });
    const wanted = JSON.parse(
      JSON.stringify(read(form)).replaceAll('"a.md"', '"a/README.md"'),
    ) as NavigationPage[];
    expect(write(form, wanted, { entriesAfter, moved: new Map([['a.md', 'a/README.md']]) })).toBe(
      form.replaceAll('a.md', 'a/README.md'),
    );
  });

  it('of a title changes the label, also next to a short title', () => {
    const wanted = [page('a.md', { title: 'Two', linkTitle: 'Short' })];
    expect(write('* [One](a.md "Short")\n', wanted)).toBe('* [Two](a.md "Short")\n');
  });

  it('matches the style of the file', () => {
    expect(changed('* [A](a.md)\r\n\r\n* [B](b.md)', (pages) => pages.push(page('new.md')))).toBe(
      '* [A](a.md)\r\n\r\n* [B](b.md)\r\n\r\n* [New](new.md)\r\n',
    );
    expect(changed('1. [A](a.md)\n2. [B](b.md)\n', (pages) => pages.push(page('new.md')))).toBe(
      '1. [A](a.md)\n2. [B](b.md)\n3. [New](new.md)\n',
    );
    expect(changed('* [A](a.md)\n\t* [B](b.md)\n', (pages) => at(pages, 0).pages.push(page('new.md')))).toBe(
      '* [A](a.md)\n\t* [B](b.md)\n\t* [New](new.md)\n',
    );
    expect(changed('* [x](sp%20ace.md)\n', (pages) => pages.push(page('n_w (1)/ü%#?.md')))).toBe(
      '* [x](sp%20ace.md)\n* [Odd](n_w%20\\(1\\)/ü%25%23%3F.md)\n',
    );
    expect(changed('* [x](s\\_b.md)\n', (pages) => pages.push(link('y', 'https://x.org/a_b')))).toBe(
      '* [x](s\\_b.md)\n* [y](https://x.org/a\\_b)\n',
    );
  });

  it('adds a rule where pages leave a group, and removes it', () => {
    const before = '## G\n\n* [A](a.md)\n* [B](b.md)\n';
    const after = '## G\n\n* [A](a.md)\n\n***\n\n* [B](b.md)\n';
    expect(write(before, read(after))).toBe(after);
    expect(write(after, read(before))).toBe(before);
  });

  it('moves a computed page with its block', () => {
    const block = (indent: string) =>
      ['* ```yaml', '  type: builtin:openapi # mine', '  dependencies: {spec: {ref: {spec: s}}}', '', '  ```']
        .map((line) => line && indent + line)
        .join('\n');
    const before = `* [A](a.md)\n${block('  ')}\n* [B](b.md)\n`;
    expect(changed(before, (pages) => pages.push(...at(pages, 0).pages.splice(0)))).toBe(
      `* [A](a.md)\n* [B](b.md)\n${block('')}\n`,
    );
  });

  it('may come after any number of lines', () => {
    const before = `* [A](a.md)\n${'\n'.repeat(300_000)}* [B](b.md)\n`;
    expect(changed(before, (pages) => pages.push(page('new.md')))).toBe(`${before}\n\n\n* [New](new.md)\n`);
  });

  it('rewrites the lists when the lines cannot be kept, and keeps the text around them', () => {
    const before = '# Mine\n\ntext\n\n* [A](a.md)\n  ```\n  * [B](b.md)\n\n  closed\n  ```\n\n[r]: x\n';
    const after = changed(before, (pages) => pages.push(page('b.md')));
    expect(after).toMatch(/^# Mine\n\ntext\n/);
    expect(read(after)).toEqual([...read(before), page('b.md')]);
  });
});

describe('navigation that SUMMARY.md cannot express', () => {
  it('is approximated, and stable on the next export', () => {
    const wanted: NavigationPage[] = [
      { kind: 'link', title: ' To A ', target: { kind: 'file', path: 'a.md' } },
      page('a.md', { pages: [group('Inner', page('b.md'))] }),
      { kind: 'link', title: '', target: { kind: 'file', path: 'c/d.md' } },
      link('Page', 'b.md'),
      link('None', ''),
    ];
    const written = write(undefined, wanted);
    expect(written).toBe(`# Table of contents

* [To A](a.md#top)
* [A](a.md)
  * Inner
    * [B](b.md)
* [Untitled](c/d.md#top)
* [Page](b.md)
* [None](#)
`);
    expect(write(written, wanted)).toBe(written);
  });
});

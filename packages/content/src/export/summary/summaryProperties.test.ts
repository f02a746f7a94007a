import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryRepository } from '../../../../../test/support/memoryRepository.ts';
import { seededRandom, type SeededRandom } from '../../../../../test/support/seededRandom.ts';
import { wantedNavigation } from '../../../../../test/support/wantedNavigation.ts';
import { indexRepository } from '@bindery/dialect/repository-format';
import { readsAs } from './navigation.ts';
import { settleNavigation } from './navigationSettle.ts';
import { writeSummary } from './summary.ts';
import { partsOf, planOf } from './summarySource.ts';
import type { NavigationPage } from '../types.ts';

const files = [
  'README.md',
  'a.md',
  'b/README.md',
  'b/c.md',
  'd e (1).md',
  'f_g.md',
  '温室/h%20.md',
  'i#j.md',
  'k&amp;l.md',
  'm:n.md',
  'o.md',
  'p.json',
];
const { entries } = memoryRepository(Object.fromEntries(files.map((path) => [path, path])));
const where = { root: '', summary: 'SUMMARY.md' };
const place = { ...where, entriesBefore: entries, entriesAfter: entries, moved: new Map<string, string>() };
const plan = (summary: Uint8Array) =>
  planOf(partsOf(summary, 'SUMMARY.md') ?? [], { ...where, repository: indexRepository(entries) });

/** The invariants of any written file, over any existing one. */
function expectSound(before: Uint8Array | undefined, wanted: readonly NavigationPage[]): Uint8Array {
  const written = writeSummary(before, wanted, place);
  expect(readsAs(plan(written), settleNavigation(wanted, { ...where, entries }))).toBe(true);
  expect(writeSummary(written, wanted, place)).toBe(written);
  return written;
}

const title = fc.oneof(
  fc.constantFrom(
    'Word',
    'Two words',
    '*a* _b_ `c`',
    '[x](y)',
    '# 1. x',
    '2. y',
    '- z',
    'AT&amp;T',
    'C #',
    '<b>List<T></b>',
    '***',
    'a\nb',
    '\\',
    '```',
    '{% x %}',
    '温室',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('ab \t\n*_`[]()<>#&;!\\"\'|~-+=.1:/{}%$@')),
    maxLength: 14,
  }),
);
const short = fc
  .option(title, { nil: undefined })
  .map((linkTitle) => (linkTitle === undefined ? {} : { linkTitle }));
const url = fc.oneof(
  fc.webUrl(),
  fc.constantFrom(
    'https://app.gitbook.com/s/abc',
    'gone.md',
    '../x',
    '#y',
    'a b',
    'mailto:a@b.c',
    '/broken/pages/1',
    'a.md',
    'o',
    '',
  ),
  title,
);
const target: fc.Arbitrary<Extract<NavigationPage, { kind: 'link' }>['target']> = fc.oneof(
  url.map((found) => ({ kind: 'url', url: found }) as const),
  fc.constantFrom(...files).map((path) => ({ kind: 'file', path }) as const),
  fc
    .tuple(fc.constantFrom(...files), fc.constantFrom('x', 'y z', '%41', 'a)b'))
    .map(([path, anchor]) => ({ kind: 'file', path, anchor }) as const),
);
const spec = fc.constantFrom('shop', 'true', '1', 'a: b', '温室');

type Shape = { make: (file: string | undefined) => NavigationPage | undefined; children: Shape[] };
const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => {
  const children = fc.oneof(
    { depthSize: 'small' },
    fc.constant<Shape[]>([]),
    fc.array(tie('shape'), { maxLength: 4 }),
  );
  const titled = fc.record({ title, short, hasHeading: fc.boolean(), target, spec, models: fc.boolean() });
  return {
    shape: fc.record({
      children,
      make: fc
        .tuple(fc.constantFrom('page', 'page', 'page', 'empty', 'link', 'computed', 'group'), titled)
        .map(
          ([kind, { title: text, short: linkTitle, hasHeading, target: to, spec: source, models }]) =>
            (file: string | undefined): NavigationPage | undefined => {
              // A heading is trimmed when read, and never empty.
              const heading = text.toWellFormed().replaceAll('\0', '').trim() || 'H';
              if (kind === 'page')
                return file === undefined
                  ? undefined
                  : { kind, file, title: hasHeading ? heading : text, ...linkTitle, hasHeading, pages: [] };
              if (kind === 'link') return { kind, title: text, ...linkTitle, target: to };
              if (kind === 'computed')
                return {
                  kind,
                  title: source,
                  computed: {
                    type: 'builtin:openapi',
                    props: { models },
                    dependencies: { spec: { ref: { kind: 'openapi', spec: source } } },
                  },
                };
              return { kind: kind === 'group' ? 'group' : 'empty', title: text, pages: [] };
            },
        ),
    }),
  };
}).shape;

/** Any navigation in which each file is one page. */
const navigation: fc.Arbitrary<NavigationPage[]> = fc
  .tuple(fc.array(shape, { maxLength: 5 }), fc.shuffledSubarray(files.filter((path) => path.endsWith('.md'))))
  .map(([shapes, free]) => {
    const build = ({ make, children }: Shape): NavigationPage[] => {
      const page = make(free.pop());
      if (!page) return [];
      const pages = children.flatMap(build);
      return 'pages' in page ? [{ ...page, pages }] : [page, ...pages.filter(({ kind }) => kind !== 'group')];
    };
    return shapes.flatMap(build);
  });

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '## Group',
    '## ',
    '# Title',
    '***',
    '---',
    '<!-- x -->',
    'text',
    '```',
    '    code',
    '[r]: a.md',
    '> * [Q](o.md)',
    '\t',
    '* * [A](a.md)',
    '*',
    'x\u00a0',
  ),
  fc
    .tuple(
      fc.constantFrom('', '  ', '    ', '\t', '   ', '      '),
      fc.constantFrom('* ', '- ', '+ ', '1. ', '*   '),
      fc.constantFrom(
        '[A](a.md)',
        '[A](a.md "x")',
        '[B](b)',
        '[C](b/c.md#x)',
        '**[D](<d e (1).md>)** more',
        '[F](f\\_g.md)',
        '[r]',
        '[Gone](gone.md)',
        'text',
        '[](o.md)',
        '# [O](o.md)',
        '[L](https://x.org)',
        '```yaml',
        '[P](p.json)',
      ),
    )
    .map((parts) => parts.join('')),
);
const summary = fc
  .tuple(
    fc.constantFrom('', '\ufeff', '---\na: b\n---\n', '---\n---'),
    fc.array(line, { maxLength: 14 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
  )
  .map(([start, lines, ending, isEnded]) =>
    new TextEncoder().encode(start + lines.join(ending) + (isEnded ? ending : '')),
  );

const runs = { numRuns: 400 };

it('writes a new file that reads back as the wanted navigation', () => {
  fc.assert(
    fc.property(navigation, (wanted) => void expectSound(undefined, wanted)),
    runs,
  );
});

it('replaces any bytes with a file that reads back as the wanted navigation', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      navigation,
      (before, wanted) => void expectSound(before, wanted),
    ),
    runs,
  );
});

it('updates any navigation to a file that reads back as the wanted navigation', () => {
  fc.assert(
    fc.property(summary, navigation, (before, wanted) => void expectSound(before, wanted)),
    runs,
  );
});

it('returns the same bytes for an unchanged navigation', () => {
  const headings = fc
    .uniqueArray(fc.constantFrom(...files))
    .map((paths) => new Map(paths.map((path) => [path, 'A'])));
  fc.assert(
    fc.property(fc.oneof(summary, fc.uint8Array({ maxLength: 80 })), headings, (before, titles) => {
      expect(writeSummary(before, wantedNavigation(plan(before), titles), place)).toBe(before);
    }),
    runs,
  );
});

// Navigations in the styles of people and tools, with one change of each kind.

const cases = 1_000;

it(`changes only the lines of the changed entry, in ${cases} files`, () => {
  for (let seed = 1; seed <= cases; seed += 1) {
    const random = seededRandom(seed);
    const { text, wanted } = randomFile(random);
    const before = new TextEncoder().encode(text);
    expect(readsAs(listed(before), wanted), `seed ${seed}\n${text}`).toBe(true);
    const { name, after, lines } = randomChange(wanted, random);
    const written = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      writeSummary(before, after, regular),
    );
    expect(
      readsAs(listed(new TextEncoder().encode(written)), after),
      `seed ${seed}, ${name}\n${written}`,
    ).toBe(true);
    const { gone, added } = difference(text, written);
    const told = `seed ${seed}, ${name}\n${text}\n=>\n${written}`;
    expect(gone, told).toBeLessThanOrEqual(lines.gone);
    expect(added - gone, told).toBe(lines.added - lines.gone);
  }
});

const names = Array.from({ length: 60 }, (_, index) => `p${index}.md`);
const regularEntries = memoryRepository(
  Object.fromEntries([...names, 'new.md'].map((path) => [path, path])),
).entries;
const regular = {
  ...where,
  entriesBefore: regularEntries,
  entriesAfter: regularEntries,
  moved: new Map<string, string>(),
};
const listed = (summaryFile: Uint8Array) =>
  planOf(partsOf(summaryFile, 'SUMMARY.md') ?? [], { ...where, repository: indexRepository(regularEntries) });

type Node = {
  kind: 'page';
  file: string;
  title: string;
  linkTitle?: string;
  hasHeading: true;
  pages: Node[];
};
type Group = { kind: 'group'; title: string; pages: Node[] };

/** A file in a random style, and its navigation. */
function randomFile(random: SeededRandom): { text: string; wanted: (Node | Group)[] } {
  const marker = random.pick(['* ', '- ', '+ ', '*   ', '-\t']);
  const indent = marker.length === 2 && marker[1] === ' ' ? random.pick(['  ', '    ', '\t']) : '    ';
  const [ending, gap] = [random.pick(['\n', '\n', '\r\n']), random.chance(0.2) ? [''] : []];
  const lines = random.pick([
    [],
    ['# Table of contents', ''],
    ['---', 'x: y', '---', '', '# Own *title*', '', '<!-- * [No](p0.md) -->', ''],
  ]);
  const wanted: (Node | Group)[] = [];
  let count = 0;

  const addPages = (pages: Node[] | (Node | Group)[], depth: number): void => {
    for (let more = 1 + random.below(4); more > 0 && count < 40; more -= 1) {
      const file = `p${count}.md`;
      count += 1;
      const [label, title] = random.pick([
        [`Page ${count}`, `Page ${count}`],
        [`**Page** ${count}`, `Page ${count}`],
        [`Page\\_${count}`, `Page_${count}`],
      ] as const);
      const [written, linkTitle] = random.pick([
        ['', undefined],
        ['', undefined],
        [` 'S ${count}'`, `S ${count}`],
      ] as const);
      const path = random.pick([
        file,
        file,
        `<${file}>`,
        `./${file}`,
        `/${file}`,
        file.replace('.md', ''),
        `%70${file.slice(1)}`,
      ]);
      if (pages.length > 0 || depth > 0) lines.push(...gap);
      lines.push(
        `${indent.repeat(depth)}${marker}[${label}](${path}${written})${random.chance(0.1) ? '  ' : ''}`,
      );
      const node: Node = {
        kind: 'page',
        file,
        title,
        ...(linkTitle && { linkTitle }),
        hasHeading: true,
        pages: [],
      };
      pages.push(node);
      if (depth < 3 && random.chance(0.35)) addPages(node.pages, depth + 1);
    }
  };
  addPages(wanted, 0);
  for (let more = random.below(4); more > 0 && count < 40; more -= 1) {
    const group: Group = { kind: 'group', title: `Group ${count}`, pages: [] };
    wanted.push(group);
    lines.push('', `## Group ${count}${random.pick(['', ' <a href="#g" id="g"></a>'])}`, '');
    addPages(group.pages, 0);
    if (count < 40 && random.chance(0.2)) {
      lines.push('', '***', '');
      const outside: Node[] = [];
      addPages(outside, 0);
      wanted.push(...outside);
    }
  }
  return { text: lines.join(ending) + (random.chance(0.8) ? ending : ''), wanted };
}

type Difference = { gone: number; added: number };

/** The numbers of removed and added lines with text; the other lines must keep their order. */
function difference(before: string, after: string): Difference {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/).filter((found) => found !== '')) as [
    string[],
    string[],
  ];
  const length: number[][] = Array.from({ length: old.length + 1 }, () =>
    Array.from({ length: now.length + 1 }, () => 0),
  );
  const at = (row: number, column: number) => length[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      (length[row] as number[])[column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  return { gone: old.length - at(0, 0), added: now.length - at(0, 0) };
}

function randomChange(
  wanted: readonly (Node | Group)[],
  random: SeededRandom,
): { name: string; after: NavigationPage[]; lines: Difference } {
  const after = structuredClone(wanted) as (Node | Group)[];
  const lists: Node[][] = [];
  const walk = (pages: Node[]) => {
    lists.push(pages);
    for (const page of pages) walk(page.pages);
  };
  for (const page of after) walk(page.pages);
  const all = lists.flatMap((list) => list.map((page) => ({ page, list })));
  const groups = after.filter((page) => page.kind === 'group');
  const top = after.filter((page) => page.kind === 'page');
  const some = all.length > 0 ? random.pick(all) : undefined;
  const node = some && random.chance(0.7) ? some.page : (random.pick(top) as Node);
  const result = (name: string, gone: number, added = gone) => ({ name, after, lines: { gone, added } });

  switch (random.below(some ? 8 : 4)) {
    case 0: {
      const list = random.pick([...lists]);
      list.splice(random.below(list.length + 1), 0, {
        kind: 'page',
        file: 'new.md',
        title: 'New',
        hasHeading: true,
        pages: [],
      });
      return result('insert', 0, 1);
    }
    case 1:
      node.title = 'Another *title*';
      return result('title', 1);
    case 2:
      if (node.linkTitle === undefined) node.linkTitle = 'Short';
      else delete node.linkTitle;
      return result('short title', 1);
    case 3: {
      const group = groups.length > 0 ? random.pick(groups) : undefined;
      if (group) group.title = 'Renamed';
      else after.push({ kind: 'group', title: 'Added', pages: [] });
      return group ? result('rename group', 1) : result('add group', 0, 1);
    }
    case 4: {
      const { page, list } = random.pick(all);
      list.splice(list.indexOf(page), 1);
      return result('remove', sizeOf(page), 0);
    }
    case 5: {
      const { page, list } = random.pick(all);
      const index = list.indexOf(page);
      const next = list[index + 1];
      if (!next) return result('nothing', 0);
      list.splice(index, 2, next, page);
      return result('move down', Math.min(sizeOf(page), sizeOf(next)));
    }
    case 6: {
      const { page, list } = random.pick(all);
      list.splice(list.indexOf(page), 1);
      const goals = lists.filter((found) => found !== list && !isWithin(page, found));
      (goals.length > 0 ? random.pick(goals) : list).push(page);
      return result('move elsewhere', sizeOf(page));
    }
    default: {
      const last = after.at(-1);
      const previous = after.at(-2);
      if (last?.kind !== 'group' || previous?.kind !== 'group') return result('nothing', 0);
      previous.pages.push(...last.pages);
      after.pop();
      return result('dissolve group', 1, 0);
    }
  }
}

function sizeOf(page: Node): number {
  return page.pages.reduce((sum, child) => sum + sizeOf(child), 1);
}

function isWithin(page: Node, list: Node[]): boolean {
  return page.pages === list || page.pages.some((child) => isWithin(child, list));
}

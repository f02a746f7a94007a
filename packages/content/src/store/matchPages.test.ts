import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ImportedDocument } from '@bindery/dialect/repository-format';
import type { PageTree } from './items.ts';
import { matchPages } from './matchPages.ts';
import { bound } from '../../../../test/support/machine.ts';

type Files = Record<string, string>;

const hash = (text: string) => createHash('sha1').update(text).digest('hex');
const place = (path: string) => path.replace(/\.md$/, '');

/** The old file of each new file's page, if its path differs; undefined for a new page. */
async function movesOf(
  before: Files,
  after: Files,
): Promise<{ moves: Record<string, string | undefined>; textsRead: number }> {
  const previous = Object.entries(before).map(([path, text]): PageTree => ({
    type: 'document',
    id: `id of ${path}`,
    title: path,
    slug: place(path),
    path: place(path),
    createdAt: '',
    updatedAt: '',
    git: { path, oid: hash(text) },
    document: hash(text),
    pages: [],
  }));
  const pages = Object.entries(after).map(([path, text]): ImportedDocument => ({
    type: 'document',
    title: path,
    slug: place(path),
    path: place(path),
    git: { path, oid: hash(text) },
    hidden: false,
    noIndex: false,
    noRobotsIndex: false,
    layout: {},
    pages: [],
  }));
  const texts = new Map(
    [...Object.values(before), ...Object.values(after)].map((text) => [hash(text), text]),
  );
  let textsRead = 0;
  const { matchOf } = await matchPages(pages, {
    previous,
    documentOf: (oid) => oid,
    textOf: async (documents) => {
      textsRead += documents.length;
      return new Map(documents.map((document) => [document, texts.get(document) ?? '']));
    },
  });
  const ids = pages.map((page) => matchOf(page).id);
  expect(new Set(ids).size).toBe(ids.length);
  const moves: Record<string, string | undefined> = {};
  for (const [index, path] of Object.keys(after).entries()) {
    const source = /^id of (.*)$/.exec(ids[index] ?? '')?.[1];
    if (source !== path) moves[path] = source;
  }
  return { moves, textsRead };
}

/** A distinct page: 20 lines that no other page has. */
const page = (name: string) =>
  `# ${name}\n\n${Array.from({ length: 20 }, (_, i) => `Sentence ${i} about ${name}.`).join('\n')}\n`;
const edited = (text: string) => text.replace('Sentence 3', 'Another sentence');
const many = (folder: string, text: (n: number) => string, count = 300): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${folder}/part ${n % 7}/page ${n}.md`, text(n)]),
  );

describe('a page keeps its id', () => {
  it.each<[what: string, before: Files, after: Files, moves: Record<string, string | undefined>]>([
    ['when its file is edited', { 'a.md': page('a') }, { 'a.md': page('b') }, {}],
    ['when its file is moved', { 'a.md': page('a') }, { 'x/b.md': page('a') }, { 'x/b.md': 'a.md' }],
    [
      'when its file is moved and edited',
      { 'a.md': page('a') },
      { 'x/b.md': edited(page('a')) },
      { 'x/b.md': 'a.md' },
    ],
    [
      'when its file changes places with another',
      { 'a.md': page('a'), 'b.md': page('b') },
      { 'a.md': page('b'), 'b.md': page('a') },
      { 'a.md': 'b.md', 'b.md': 'a.md' },
    ],
    [
      'when three files change places, beside one that is edited',
      { 'a.md': page('a'), 'b.md': page('b'), 'c.md': page('c'), 'd.md': page('d') },
      { 'a.md': page('b'), 'b.md': page('c'), 'c.md': page('a'), 'd.md': page('e') },
      { 'a.md': 'b.md', 'b.md': 'c.md', 'c.md': 'a.md' },
    ],
    [
      'when its former text is kept in an archive',
      { 'now.md': page('spring') },
      { 'now.md': page('summer'), 'archive/spring.md': page('spring') },
      { 'archive/spring.md': undefined },
    ],
    [
      'when it becomes the README of its folder, also with another text',
      { 'guide.md': page('guide'), 'faq.md': page('faq') },
      { 'guide/README.md': page('guide'), 'faq/README.md': page('other'), 'faq/more.md': page('more') },
      { 'guide/README.md': 'guide.md', 'faq/README.md': 'faq.md', 'faq/more.md': undefined },
    ],
    [
      'when it becomes a file again',
      { 'guide/README.md': page('guide') },
      { 'guide.md': page('guide') },
      { 'guide.md': 'guide/README.md' },
    ],
    [
      'when only the case of its path changes',
      { 'Docs/Guide.md': page('a') },
      { 'docs/guide.md': page('b') },
      { 'docs/guide.md': 'Docs/Guide.md' },
    ],
    [
      'when only the form of an accent changes',
      { 'caf\u00e9.md': page('a') },
      { 'cafe\u0301.md': page('b') },
      { 'cafe\u0301.md': 'caf\u00e9.md' },
    ],
    [
      'beside one whose path differs only in case',
      { 'README.md': page('a'), 'readme.md': page('b') },
      { 'README.md': page('a'), 'readme.md': page('c') },
      {},
    ],
    [
      'of two that differ only in case, when the other one goes',
      { 'README.md': page('a'), 'readme.md': page('b') },
      { 'readme.md': page('b') },
      {},
    ],
    [
      'among copies: each finds its own place in the folder that was renamed',
      { 'a/x/README.md': '', 'a/y/README.md': '', 'a/x/z.md': '' },
      { 'b/x/z.md': '', 'b/y/README.md': '', 'b/x/README.md': '' },
      { 'b/x/z.md': 'a/x/z.md', 'b/y/README.md': 'a/y/README.md', 'b/x/README.md': 'a/x/README.md' },
    ],
    [
      'when a copy of its file is made',
      { 'a.md': page('a') },
      { 'a.md': page('a'), 'b.md': page('a') },
      { 'b.md': undefined },
    ],
    [
      'and a page with other words is a new one',
      { 'a.md': page('a') },
      { 'b.md': page('b') },
      { 'b.md': undefined },
    ],
  ])('%s', async (_, before, after, moves) => {
    expect((await movesOf(before, after)).moves).toEqual(moves);
  });

  it('when a folder of 300 pages is renamed, half of them edited', async () => {
    const before = many('docs', (n) => page(`topic ${n}`));
    const after = many('manual/en', (n) => (n % 2 ? page(`topic ${n}`) : edited(page(`topic ${n}`))));
    const { moves } = await movesOf(before, after);
    expect(
      Object.entries(moves).filter(([path, source]) => source !== path.replace('manual/en', 'docs')),
    ).toEqual([]);
    expect(Object.keys(moves).length).toBe(300);
  });

  it('when 300 pages that share most lines are renamed and edited', async () => {
    const common = Array.from({ length: 30 }, (_, i) => `A line ${i} that stands on every page.`).join('\n');
    const text = (n: number, words: string) => `# Method ${n}\n\n${common}\n\n${words}\n`;
    const before = many('docs', (n) => text(n, 'Before.'));
    const after = many('api', (n) => text(n, 'After.'));
    const { moves } = await movesOf(before, after);
    expect(Object.entries(moves).filter(([path, source]) => source !== path.replace('api', 'docs'))).toEqual(
      [],
    );
  });
});

describe('the cost of matching', () => {
  it('is bounded, however many pages are new and removed', async () => {
    const startedAt = performance.now();
    const { moves, textsRead } = await movesOf(
      many('a', (n) => page(`one ${n}`), 5_000),
      many('b', (n) => page(`other ${n}`), 5_000),
    );
    expect(Object.values(moves).every((source) => source === undefined)).toBe(true);
    expect(textsRead).toBeLessThanOrEqual(4_000);
    expect(performance.now() - startedAt).toBeLessThan(bound(5_000));
  });

  it('grows with the lines and not with their product when all texts are similar', async () => {
    const common = Array.from({ length: 400 }, (_, i) => `Line ${i}`).join('\n');
    const startedAt = performance.now();
    await movesOf(
      many('a', (n) => `${common}\nbefore ${n}\n`, 1_000),
      many('b', (n) => `${common}\nafter ${n}\n`, 1_000),
    );
    expect(performance.now() - startedAt).toBeLessThan(bound(5_000));
  });

  it('is zero when every file keeps its path', async () => {
    const files = many('a', (n) => page(`one ${n}`), 1_000);
    expect(await movesOf(files, files)).toEqual({ moves: {}, textsRead: 0 });
  });
});

import { GitImportChanges } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { FileItem, PageTree, ReusableContentItem } from '../store/items.ts';
import type { RevisionContent } from '../store/revisions.ts';
import { describeContentChanges } from './describeContentChanges.ts';

type DocumentPage = Extract<PageTree, { type: 'document' }>;

/** A page whose document is its text and whose file is named by its id. */
function page(id: string, { pages = [], ...more }: Partial<DocumentPage> = {}): PageTree {
  const time = '2026-01-01T00:00:00.000Z';
  const place = { slug: id, path: id, git: { oid: `oid of ${id}`, path: `${id}.md` } };
  return {
    id,
    type: 'document',
    title: id,
    ...place,
    document: `# ${id}\n`,
    createdAt: time,
    updatedAt: time,
    ...more,
    pages,
  };
}
const at = (path: string): Partial<DocumentPage> => ({ path, git: { oid: 'oid', path: `${path}.md` } });
const content = (id: string, more: Partial<ReusableContentItem> = {}): ReusableContentItem => ({
  ...{ id, title: id, document: `${id}\n`, git: { oid: `oid of ${id}`, path: `.gitbook/includes/${id}.md` } },
  ...more,
});
const file = (id: string, more: Partial<FileItem> = {}): FileItem => ({
  ...{ id, name: `${id}.png`, contentType: 'image/png', sizeBytes: 5, blob: `blob of ${id}` },
  git: { oid: `oid of ${id}`, path: `.gitbook/assets/${id}.png` },
  ...more,
});

const contentOf = (pages: PageTree[]): RevisionContent => ({
  pages,
  files: [],
  reusableContents: [],
  variables: [],
  redirects: [],
});

async function changes(
  before: Partial<RevisionContent>,
  after: Partial<RevisionContent>,
): Promise<GitImportChanges> {
  const found = await describeContentChanges(
    { ...contentOf([]), ...before },
    { ...contentOf([]), ...after },
    { sourcesOf },
  );
  expect(GitImportChanges.parse(found)).toEqual(found);
  return found;
}
const sourcesOf = async (hashes: string[]): Promise<Map<string, PageSource>> =>
  new Map(hashes.map((text) => [text, { frontmatter: new Uint8Array(), body: Buffer.from(text) }]));

const none = { added: 0, removed: 0, changed: 0, moved: 0 };

describe('the changes of a space', () => {
  it('are empty for equal content with other times', async () => {
    const pages = [page('a', { pages: [page('b')] })];
    const later = [page('a', { updatedAt: '2026-02-02T00:00:00.000Z', pages: [page('b')] })];
    const found = await changes({ pages, files: [file('f')] }, { pages: later, files: [file('f')] });
    expect(found.totals).toEqual({
      pages: none,
      reusableContents: none,
      files: none,
      variables: 0,
      redirects: 0,
    });
    expect(found.omitted).toEqual({ entries: 0, blocks: 0 });
  });

  it('include new, removed, changed and moved pages', async () => {
    const found = await changes(
      {
        pages: [
          page('a'),
          page('b', { pages: [page('c')] }),
          page('gone', { pages: [page('gone-too')] }),
          page('edited'),
        ],
      },
      {
        pages: [
          page('b'),
          page('a'),
          page('edited', { title: 'New', icon: 'bolt', document: '# New\n' }),
          page('new', { pages: [page('c', at('new/c'))] }),
        ],
      },
    );
    expect(found.totals.pages).toEqual({ added: 1, removed: 2, changed: 1, moved: 2 });
    expect(found.pages.added).toEqual([{ type: 'document', title: 'new', path: 'new', file: 'new.md' }]);
    expect(found.pages.removed.map(({ id }) => id)).toEqual(['gone', 'gone-too']);
    expect(found.pages.changed).toEqual([
      {
        ...{
          id: 'edited',
          type: 'document',
          title: 'New',
          path: 'edited',
          file: 'edited.md',
          fields: ['document', 'icon', 'title'],
        },
        blocks: [
          {
            kind: 'changed',
            before: { text: '# edited', firstLine: 1, lastLine: 1 },
            after: { text: '# New', firstLine: 1, lastLine: 1 },
          },
        ],
      },
    ]);
    expect(found.pages.moved).toEqual([
      // One of two siblings that changed their order.
      {
        ...{ id: 'a', type: 'document', title: 'a', path: 'a', file: 'a.md', parent: null, index: 1 },
        previous: { path: 'a', file: 'a.md', parent: null, index: 0 },
      },
      {
        ...{
          id: 'c',
          type: 'document',
          title: 'c',
          path: 'new/c',
          file: 'new/c.md',
          parent: { title: 'new' },
          index: 0,
        },
        previous: { path: 'c', file: 'c.md', parent: { id: 'b', title: 'b' }, index: 0 },
      },
    ]);
  });

  it('include reusable contents, files, variables and redirects', async () => {
    const found = await changes(
      {
        reusableContents: [content('kept'), content('gone'), content('moved')],
        files: [file('kept'), file('gone'), file('renamed')],
        variables: [
          { name: 'a', value: 1 },
          { name: 'b', value: 'x' },
          { name: 'c', value: true },
        ],
        redirects: [{ from: 'old', to: 'a.md' }],
      },
      {
        reusableContents: [
          content('kept', { title: 'Other', document: 'other\n' }),
          content('moved', { git: { oid: 'o', path: '.gitbook/includes/sub/moved.md' } }),
          content('new'),
        ],
        files: [
          file('kept', { blob: 'other', sizeBytes: 9 }),
          file('renamed', { name: 'n.png', git: { oid: 'o', path: '.gitbook/assets/n.png' } }),
          file('new'),
        ],
        variables: [
          { name: 'a', value: 1 },
          { name: 'b', value: 'y' },
          { name: '__proto__', value: false },
        ],
        redirects: [
          { from: 'old', to: 'b.md', page: 'b' },
          { from: 'older', to: 'b.md' },
        ],
      },
    );
    expect(found.reusableContents).toEqual({
      added: [{ title: 'new', file: '.gitbook/includes/new.md' }],
      removed: [{ id: 'gone', title: 'gone', file: '.gitbook/includes/gone.md' }],
      changed: [
        {
          ...{ id: 'kept', title: 'Other', file: '.gitbook/includes/kept.md', fields: ['document', 'title'] },
          blocks: [expect.objectContaining({ kind: 'changed' })],
        },
      ],
      moved: [
        {
          ...{ id: 'moved', title: 'moved', file: '.gitbook/includes/sub/moved.md' },
          previous: { file: '.gitbook/includes/moved.md' },
        },
      ],
    });
    expect(found.files).toEqual({
      added: [{ name: 'new.png', path: '.gitbook/assets/new.png', sizeBytes: 5 }],
      removed: [{ id: 'gone', name: 'gone.png', path: '.gitbook/assets/gone.png', sizeBytes: 5 }],
      changed: [
        {
          id: 'kept',
          name: 'kept.png',
          path: '.gitbook/assets/kept.png',
          sizeBytes: 9,
          previous: { sizeBytes: 5 },
        },
      ],
      moved: [
        {
          ...{ id: 'renamed', name: 'n.png', path: '.gitbook/assets/n.png', sizeBytes: 5 },
          previous: { name: 'renamed.png', path: '.gitbook/assets/renamed.png' },
        },
      ],
    });
    expect(found.variables).toEqual([
      { name: 'b', before: 'x', after: 'y' },
      { name: 'c', before: true },
      { name: '__proto__', after: false },
    ]);
    expect(found.redirects).toEqual([
      { from: 'old', before: 'a.md', after: 'b.md' },
      { from: 'older', after: 'b.md' },
    ]);
    expect(found.totals).toMatchObject({ variables: 3, redirects: 2 });
  });
});

describe('a report of very many changes', () => {
  const many = (count: number, text: (index: number) => string, id = 'page') =>
    Array.from({ length: count }, (_, index) => page(`${id}-${index}`, { document: text(index) }));

  it('counts all changes, and lists as many as fit into a record', async () => {
    const paragraphs = (word: string) =>
      Array.from({ length: 40 }, (_, index) => `${word} ${index} ${'x'.repeat(100)}`).join('\n\n');
    const found = await changes(
      { pages: [...many(4_000, (index) => paragraphs(`old ${index}`)), ...many(2_000, () => '', 'gone')] },
      { pages: [...many(4_000, (index) => paragraphs(`new ${index}`)), ...many(3_000, () => '', 'added')] },
    );
    expect(found.totals.pages).toEqual({ added: 3_000, removed: 2_000, changed: 4_000, moved: 0 });
    const listed = found.pages.added.length + found.pages.removed.length + found.pages.changed.length;
    expect(found.omitted.entries).toBe(9_000 - listed);
    expect(found.omitted.blocks).toBe(found.pages.changed.filter(({ partial }) => partial).length);
    expect(found.omitted.blocks).toBeGreaterThan(100);
    expect(found.pages.changed[0]?.blocks).toHaveLength(40);
    expect(JSON.stringify(found).length).toBeLessThan(1_100_000);
  });

  it('yields to other work after each text', async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const found = await changes({ pages: many(300, () => 'old') }, { pages: many(300, () => 'new') });
    isDone = true;
    expect(found.omitted).toEqual({ entries: 50, blocks: 0 });
    expect(turns).toBeGreaterThanOrEqual(250);
  });
});

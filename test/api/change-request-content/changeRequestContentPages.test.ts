import { describe, expect } from 'vitest';
import { openTree } from '@bindery/content';
import { itEditing as it } from '../../support/content/editing.ts';
import type { TestPage } from '../../support/factories.ts';

const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: {},
  ...more,
});
const update = (page: string, more: object) => ({ operation: 'update_page' as const, page, ...more });
const remove = (page: string) => ({ operation: 'delete_page' as const, page });

/** Guides (Start (Deep), End) and About, a group with a page, a link and a computed page. */
const pages = (): TestPage[] => [
  {
    id: 'guides',
    title: 'Guides',
    source: '# Guides\n',
    pages: [
      {
        id: 'start',
        title: 'Start',
        path: 'guides/start',
        source: '# Start\n',
        pages: [{ id: 'deep', title: 'Deep', path: 'guides/start/deep' }],
      },
      { id: 'end', title: 'End', path: 'guides/end' },
    ],
  },
  { id: 'about', title: 'About', source: '# About\n' },
  {
    id: 'group',
    type: 'group',
    title: 'Group',
    pages: [{ id: 'member', title: 'Member', path: 'group/member' }],
  },
  { id: 'link', type: 'link', title: 'Link', target: { kind: 'url', url: 'https://example.org/' } },
  {
    id: 'computed',
    type: 'computed',
    title: 'Computed',
    computed: {
      type: 'builtin:openapi',
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'x' } } },
    },
  },
];
const titles = 'Guides (Start (Deep), End), About, Group (Member), Link, Computed';

describe('insert_page', () => {
  it('inserts at the end of the root, or at a position below a page', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(
      insert('Last'),
      insert('First', { at: 0 }),
      insert('Middle', { into: 'guides', at: 1 }),
      insert('Far', { into: 'guides', at: 99 }),
      insert('In group', { into: 'group', at: 0 }),
      insert('Null', { into: null, at: 1 }),
    );
    expect(await editing.outline()).toBe(
      'First, Null, Guides (Start (Deep), Middle, End, Far), About, Group (In group, Member), Link, Computed, Last',
    );
    expect(await editing.paths()).toEqual([
      ...[
        'first',
        'null',
        'guides',
        'guides/start',
        'guides/start/deep',
        'guides/middle',
        'guides/end',
        'guides/far',
      ],
      ...['about', 'group', 'group/in-group', 'group/member', 'last'],
    ]);
  });

  it('makes the slug from the title, numbered where it is taken, and refuses a given slug that is taken', async ({
    open,
  }) => {
    const editing = await open({ pages: pages() });
    const ids = await editing.edit(
      insert('About'),
      insert('  Über   uns! '),
      insert('About'),
      insert('日本語'),
      insert('!!!'),
      insert('Empty', { slug: '' }),
    );
    const slugs = await Promise.all(ids.map(async (id) => (await editing.page(id)).slug));
    expect(slugs).toEqual(['about-1', 'uber-uns', 'about-2', '日本語', 'page', 'empty']);
    const [own] = await editing.edit(insert('Own', { slug: 'Über v1.2_x' }));
    expect(await editing.page(own as string)).toMatchObject({ slug: 'über-v1.2_x', path: 'über-v1.2_x' });
    expect(await editing.refused(insert('x', { slug: 'about' }))).toContain(
      'body.changes[0].slug: must be unique among siblings',
    );
    expect(await editing.refused(insert('x', { slug: 'a'.repeat(101) }))).toContain('body.changes[0].slug: ');
    // Somewhere else it is free.
    await editing.edit(insert('x', { slug: 'about', into: 'guides' }));
  });

  it('uses the given title, or a default one', async ({ open }) => {
    const editing = await open({ pages: [] });
    const [named, blank, bare] = (await editing.edit(insert('A *b*  c'), insert(' '), {
      operation: 'insert_page',
      document: {},
    })) as [string, string, string];
    expect(await editing.page(named)).toMatchObject({ title: 'A *b* c', slug: 'a-b-c' });
    expect(await editing.page(blank)).toMatchObject({
      title: 'Untitled',
      slug: 'untitled',
      path: 'untitled',
    });
    expect(await editing.page(bare)).toMatchObject({ title: 'Untitled', slug: 'untitled-1' });
    expect(await editing.refused(insert(''))).toContain('body.changes[0].title: ');
    expect(await editing.refused({ operation: 'insert_page', title: 'x' })).toBe(
      'body.changes[0].document: is required',
    );
  });

  it('is refused for a parent or a position that cannot hold a page', async ({ open }) => {
    const editing = await open({ pages: pages() });
    for (const into of ['link', 'computed', 'nothing'])
      expect(await editing.refused(insert('x', { into }))).toContain('body.changes[0].into: ');
    for (const at of [-1, 1.5, '1'])
      expect(await editing.refused(insert('x', { at }))).toContain('body.changes[0].at: ');
    expect(await editing.outline()).toBe(titles);
  });

  it('is refused below 64 levels of pages, as a move is', async ({ open }) => {
    const chain = (level: number): TestPage => ({
      id: `level${level}`,
      title: `L${level}`,
      pages: level < 63 ? [chain(level + 1)] : [],
    });
    const editing = await open({
      pages: [chain(1), { id: 'aside', title: 'Aside', pages: [{ title: 'Below' }] }],
    });
    await editing.edit(insert('64', { into: 'level63' }));
    const [last] = await editing.edit(insert('64 too', { into: 'level63' }));
    expect(await editing.refused(insert('65', { into: last }))).toContain(
      'body.changes[0].into: must leave pages at most 64 levels deep',
    );
    expect(await editing.refused(update('aside', { into: 'level63' }))).toContain('levels deep');
    await editing.edit(update('aside', { into: 'level62' }));
  });
});

describe('update_page', () => {
  it('changes metadata, in the page and in its file', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const all = {
      emoji: '📖',
      icon: 'gear',
      description: 'About: "us"',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
      condition: 'visitor.claims.plan == "pro"',
    };
    await editing.edit(update('about', { title: 'Us', ...all }));
    expect(await editing.page('about')).toMatchObject({
      title: 'Us',
      slug: 'about',
      path: 'about',
      ...all,
      markdown: expect.stringMatching(/^\s*# Us\n/),
    });
    const cleared = {
      emoji: '',
      icon: '',
      description: '',
      condition: '',
      hidden: false,
      noIndex: false,
      noRobotsIndex: false,
    };
    await editing.edit(update('about', cleared));
    const page = await editing.page('about');
    for (const name of ['emoji', 'icon', 'description', 'condition']) expect(page).not.toHaveProperty(name);
    expect(page).toMatchObject({
      title: 'Us',
      hidden: false,
      noIndex: false,
      noRobotsIndex: false,
      markdown: '# Us\n',
    });
  });

  it('refuses metadata that is not valid', async ({ open }) => {
    const editing = await open({ pages: pages() });
    for (const [name, value] of [
      ['emoji', 'no'],
      ['icon', 'x'.repeat(51)],
      ['description', 'x'.repeat(301)],
      ['condition', 'visitor.claims.plan =='],
      ['condition', 'fetch("x")'],
      ['hidden', 'yes'],
      ['title', null],
      ['slug', 5],
    ] as const)
      expect(await editing.refused(update('about', { [name]: value }))).toContain(
        `body.changes[0].${name}: `,
      );
  });

  it('changes title and slug independently', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(update('start', { title: 'Begin' }));
    expect(await editing.page('start')).toMatchObject({
      title: 'Begin',
      slug: 'start',
      path: 'guides/start',
    });
    await editing.edit(update('start', { slug: 'begin' }));
    expect(await editing.page('start')).toMatchObject({
      title: 'Begin',
      slug: 'begin',
      path: 'guides/begin',
    });
    expect(await editing.page('deep')).toMatchObject({ path: 'guides/begin/deep' });
    await editing.edit(update('start', { title: 'At last', slug: '' }));
    expect(await editing.page('start')).toMatchObject({ slug: 'at-last', path: 'guides/at-last' });
    expect(await editing.refused(update('start', { slug: 'end' }))).toContain(
      'body.changes[0].slug: must be unique among siblings',
    );
    await editing.edit(update('start', { slug: 'at-last' }));
  });

  it('moves a page with all pages below it, and updates their paths', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(
      update('start', { into: 'about' }),
      update('end', { into: null }),
      update('about', { at: 0 }),
    );
    expect(await editing.outline()).toBe('About (Start (Deep)), Guides, Group (Member), Link, Computed, End');
    expect(await editing.page('deep')).toMatchObject({ path: 'about/start/deep' });
    expect(await editing.page('end')).toMatchObject({ path: 'end' });
    await editing.edit(
      update('link', { into: 'guides' }),
      update('computed', { into: 'guides', at: 0 }),
      update('group', { at: 0 }),
    );
    expect(await editing.outline()).toBe(
      'Group (Member), About (Start (Deep)), Guides (Computed, Link), End',
    );
    // The parent that it has already is no move.
    await editing.edit(update('about', { into: null }), update('computed', { into: 'guides' }));
    expect(await editing.outline()).toBe(
      'Group (Member), About (Start (Deep)), Guides (Computed, Link), End',
    );
  });

  it('changes the slug of a page that moves next to a sibling with the same slug', async ({ open }) => {
    const editing = await open({
      pages: [
        { id: 'a', title: 'A' },
        { id: 'b', title: 'B', pages: [{ id: 'c', title: 'A', path: 'b/a' }] },
      ],
    });
    await editing.edit(update('c', { into: null }));
    expect(await editing.page('c')).toMatchObject({ slug: 'a-1', path: 'a-1' });
  });

  it('refuses to move a page into itself, below itself or into a link, and a group into a page', async ({
    open,
  }) => {
    const editing = await open({ pages: pages() });
    for (const [page, into] of [
      ['guides', 'guides'],
      ['guides', 'deep'],
      ['group', 'guides'],
      ['about', 'link'],
      ['about', 'nothing'],
    ] as const)
      expect(await editing.refused(update(page, { into }))).toContain('body.changes[0].into: ');
    expect(await editing.outline()).toBe(titles);
  });

  it('replaces paths of git files by paths that follow the tree, and still finds pages by the old ones', async ({
    open,
  }) => {
    const git = (path: string) => ({ git: { oid: '1'.repeat(40), path } });
    const editing = await open({
      pages: [
        { id: 'a', title: 'A', slug: 'one', path: 'files/one', source: '# A\n', ...git('docs/files/one.md') },
        { id: 'b', title: 'B', slug: 'two', path: 'files/two', source: '# B\n', ...git('docs/files/two.md') },
      ],
    });
    await editing.edit(
      update('a', { title: 'A changed', document: { markdown: 'Text' } }),
      update('a', { at: 1 }),
    );
    expect(await editing.page('a')).toMatchObject({
      slug: 'one',
      path: 'one',
      git: { path: 'docs/files/one.md' },
    });
    expect(await editing.page('b')).toMatchObject({ slug: 'two', path: 'two' });
    const tree = await openTree(editing.space.organization, (await editing.revision()).pages);
    expect(tree.hasTreePaths()).toBe(true);
    expect(tree.pageAtFilePath('files/one')?.page.id).toBe('a');
    await editing.edit(update('b', { into: 'a' }), update('a', { slug: 'first' }));
    expect(await editing.paths()).toEqual(['first', 'first/two']);
  });

  it('changes groups, links and computed pages only in the fields that they have', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(
      update('group', { title: 'Parts', slug: 'parts', hidden: true }),
      update('link', { title: 'Away', hidden: true }),
      update('computed', { title: 'API' }),
    );
    expect(await editing.outline()).toBe('Guides (Start (Deep), End), About, Parts (Member), Away, API');
    expect(await editing.page('group')).toMatchObject({ slug: 'parts', path: 'parts', hidden: true });
    expect(await editing.page('member')).toMatchObject({ path: 'parts/member' });
    for (const [page, field] of [
      ['group', { document: { markdown: 'x' } }],
      ['group', { description: 'x' }],
      ['link', { slug: 'x' }],
      ['computed', { hidden: true }],
    ] as const)
      expect(await editing.refused(update(page, field))).toContain(
        `body.changes[0].${Object.keys(field)[0]}: must not be given`,
      );
  });

  it('keeps updatedAt of a page that it does not change', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(
      update('about', {}),
      update('about', { title: 'About' }),
      update('start', { title: 'Begin' }),
    );
    expect((await editing.page('about')).updatedAt).toBe('2026-01-02T03:04:05.678Z');
    expect(Date.parse((await editing.page('start')).updatedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await editing.page('start')).createdAt).toBe('2026-01-02T03:04:05.678Z');
  });
});

describe('delete_page', () => {
  it('deletes the pages below it too', async ({ open }) => {
    const editing = await open({ pages: pages() });
    expect(await editing.edit(remove('guides'), remove('link'))).toEqual([
      'guides',
      'start',
      'deep',
      'end',
      'link',
    ]);
    expect(await editing.outline()).toBe('About, Group (Member), Computed');
    expect(await editing.refused(remove('about'), remove('about'))).toContain('body.changes[1].page: ');
    expect(await editing.refused(remove('deep'))).toContain('body.changes[0].page: ');
  });

  it('keeps a page that was moved away before', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(update('deep', { into: 'about' }), remove('guides'));
    expect(await editing.outline()).toBe('About (Deep), Group (Member), Link, Computed');
  });
});

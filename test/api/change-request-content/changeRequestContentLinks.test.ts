import { describe, expect } from 'vitest';
import { markdownOf, findDocument } from '@bindery/content';
import { newId } from '@bindery/runtime';
import { itEditing as it, type Editing } from '../../support/content/editing.ts';
import { buildFile, type TestPage } from '../../support/factories.ts';

const insert = (markdown: string, more: object = {}) => ({
  operation: 'insert_page' as const,
  title: 'Linking',
  document: { markdown },
  ...more,
});
const update = (page: string, markdown: string) => ({
  operation: 'update_page' as const,
  page,
  document: { markdown },
});

/** The text of a page as it is stored, without its title. */
async function stored(editing: Editing, id: string): Promise<string> {
  const { documentId } = await editing.page(id);
  const source = await findDocument(editing.space.organization, documentId);
  if (!source) throw new Error('The page has no file.');
  return markdownOf(source)
    .replace(/^\s*#[^\n]*\n\s*/, '')
    .trim();
}

const pages = (): TestPage[] => [
  { id: 'home', title: 'Home', path: '', source: '# Home\n' },
  {
    id: 'guides',
    title: 'Guides',
    source: '# Guides\n',
    pages: [
      { id: 'start', title: 'Start', path: 'guides/start', source: '# Start\n\n## Part\n' },
      { id: 'end', title: 'End', path: 'guides/end', source: '# End\n' },
    ],
  },
];

describe('links in given Markdown', () => {
  it.for([
    ['/pages/start', '/pages/start'],
    ['/pages/start#part', '/pages/start#part'],
    ['/pages/guides', '/pages/guides'],
    ['/pages/guides/start', '/pages/start'],
    ['/pages/guides/start#part', '/pages/start#part'],
    ['/pages/guides/start.md', '/pages/start'],
    ['/pages/guides/README.md', '/pages/guides'],
    ['/pages/README.md', '/pages/home'],
    ['./start.md', '/pages/start'],
    ['start.md#part', '/pages/start#part'],
    ['./start', '/pages/start'],
    ['../README.md', '/pages/home'],
    ['../guides/end.md', '/pages/end'],
    ['../guides', '/pages/guides'],
    ['https://example.org/guides/start', 'https://example.org/guides/start'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['#part', '#part'],
    ['/broken/pages/x', '/broken/pages/x'],
    ['/spaces/other', '/spaces/other'],
  ])('[text](%s) is stored as %s', async ([target, expected], { open }) => {
    const editing = await open({ pages: pages() });
    const [id] = (await editing.edit(insert(`See [text](${target}).\n`, { into: 'guides' }))) as [string];
    expect(await stored(editing, id)).toBe(`See [text](${expected}).`);
  });

  it('become plain text when their target does not exist', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const [id] = (await editing.edit(
      insert('A [**bold** one](./nowhere.md), [two](/pages/nothing) and [three](/files/nothing).\n'),
    )) as [string];
    expect(await stored(editing, id)).toBe('A **bold** one, two and three.');
  });

  it('stay unchanged in code, and in images whose file is missing', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const markdown = '`[x](./guides/start.md)` ![gone](./gone.png)\n\n```\n[x](./guides/start.md)\n```';
    const [id] = (await editing.edit(insert(markdown))) as [string];
    expect(await stored(editing, id)).toBe(markdown);
  });

  it('stay unresolved when the page had the same link before', async ({ open }) => {
    const editing = await open({
      pages: [{ id: 'page', title: 'Page', source: '# Page\n\n[old](./gone.md) [one](/pages/gone)\n' }],
    });
    await editing.edit(
      update('page', '# Page\n\n[old](./gone.md) [one](/pages/gone) [new](./also-gone.md) again\n'),
    );
    expect(await stored(editing, 'page')).toBe('[old](./gone.md) [one](/pages/gone) new again');
  });

  it('stay as written when they are relative to the file that the page came from', async ({ open }) => {
    const git = (path: string) => ({ git: { oid: '1'.repeat(40), path } });
    const editing = await open({
      pages: [
        { id: 'a', title: 'A', path: 'a', source: '# A\n', ...git('docs/a.md') },
        { id: 'b', title: 'B', path: 'sub/b', source: '# B\n', ...git('docs/sub/b.md') },
        { id: 'new', title: 'New', path: 'new' },
      ],
    });
    await editing.edit(update('b', '# B\n\n[a](../a.md) [new](../new.md) [slug](/pages/a)\n'));
    expect(await stored(editing, 'b')).toBe('[a](../a.md) [new](../new.md) [slug](/pages/a)');
  });

  it('resolve to pages and files of the same batch by their refs, also to later ones', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const { body } = await editing.send([
      insert('[two](./two.md) [part](two.md#part) ![logo](./my%20logo.png) [self](./one.md)', {
        ref: 'one',
        title: 'First',
        into: 'guides',
      }),
      { operation: 'update_page', page: 'home', document: { markdown: '# Home\n\n[one](./one.md)' } },
      insert('[one](./one.md) [by slug](/pages/guides/first)', { ref: 'two', title: 'Second' }),
      {
        operation: 'insert_files',
        files: [{ name: 'logo.txt', ref: 'my logo.png', base64: 'aGVsbG8=', contentType: 'text/plain' }],
      },
    ]);
    const [one, home, two] = body.changes.map(({ page }: { page: { id: string } }) => page.id);
    const file = body.insertedFiles[0].id;
    expect(await stored(editing, one)).toBe(
      `[two](/pages/${two}) [part](/pages/${two}#part) ![logo](/files/${file}) [self](/pages/${one})`,
    );
    expect(await stored(editing, home)).toBe(`[one](/pages/${one})`);
    expect(await stored(editing, two)).toBe(`[one](/pages/${one}) [by slug](/pages/${one})`);
  });

  it('also resolve to a page or slug that a later change of the batch creates', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const [first, , second] = (await editing.edit(
      insert('[later](/pages/guides/later) [old](/pages/guides/end)'),
      { operation: 'update_page', page: 'end', slug: 'finish' },
      insert('', { title: 'Later', into: 'guides' }),
    )) as [string, string, string];
    expect(await stored(editing, first)).toBe(`[later](/pages/${second}) [old](/pages/end)`);
  });

  it('are resolved up to the limit of links for each page', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const links = Array.from({ length: 6_000 }, (_, index) => `[x](./gone${index}.md)`);
    const [id] = (await editing.edit(insert(links.join('\n')))) as [string];
    const lines = (await stored(editing, id)).split('\n');
    expect([lines[0], lines[4_999], lines[5_999]]).toEqual(['x', 'x', links[5_999]]);
  });

  it('need refs that are unique and not the path of a page', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const file = (ref: string) => ({
      operation: 'insert_files',
      files: [{ name: 'a.txt', base64: '', contentType: 'text/plain', ref }],
    });
    expect(await editing.refused(insert('', { ref: 'x' }), insert('', { ref: 'x' }))).toBe(
      'body.changes[1].ref: must be unique in the request.',
    );
    expect(await editing.refused(insert('', { ref: 'x' }), file('x'))).toBe(
      'body.changes[1].files[0].ref: must be unique in the request.',
    );
    expect(await editing.refused(insert('', { ref: 'guides/start' }))).toBe(
      'body.changes[0].ref: must not be the path of a page.',
    );
    expect(await editing.refused(file('guides'))).toBe(
      'body.changes[0].files[0].ref: must not be the path of a page.',
    );
  });

  it('follow pages that move, and become broken links when the page is deleted', async ({ open }) => {
    const moving = newId();
    const start = { id: moving, title: 'Start', source: '# Start\n' };
    const editing = await open({ pages: [{ id: 'guides', title: 'Guides', pages: [start] }] });
    const [id] = (await editing.edit(insert('[start](./guides/start.md)'))) as [string];
    await editing.edit({ operation: 'update_page', page: moving, slug: 'moved' });
    expect(await editing.markdown(id)).toContain('[start](guides/moved.md)');
    const { documentId } = await editing.page(id);
    await editing.edit({ operation: 'delete_page', page: moving });
    expect((await editing.page(id)).documentId).toBe(documentId);
    expect(await editing.markdown(id)).toContain(`[start](/broken/pages/${moving})`);
    // The link stays broken when the Markdown that was read is sent back.
    await editing.edit(update(id, await editing.markdown(id)));
    expect(await stored(editing, id)).toBe(`[start](/broken/pages/${moving})`);
  });
});

describe('references in given trees', () => {
  const link = (ref: object, text: string) => ({
    object: 'inline' as const,
    type: 'link' as const,
    isVoid: false,
    data: { ref },
    nodes: [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] }],
  });

  it('are stored as links, broken ones as broken links', async ({ api, organization, open }) => {
    const file = await buildFile(api.blobs, organization._id, { name: 'a.pdf' });
    const editing = await open({ pages: pages(), files: [file] });
    const nodes = [
      link({ kind: 'page', page: 'start' }, 'a'),
      link({ kind: 'page', page: 'gone' }, 'b'),
      link({ kind: 'file', file: file.id }, 'c'),
    ];
    const document = {
      object: 'document' as const,
      data: {},
      nodes: [{ object: 'block' as const, type: 'paragraph' as const, isVoid: false, nodes }],
    };
    const [id] = (await editing.edit({
      operation: 'insert_page',
      title: 'Tree',
      document: { document },
    })) as [string];
    expect(await stored(editing, id)).toBe(`[a](/pages/start)[b](/broken/pages/gone)[c](/files/${file.id})`);
  });
});

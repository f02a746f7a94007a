import { findDocument } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { describe, expect } from 'vitest';
import { itEditing as it, type Editing } from '../../support/content/editing.ts';
import { bound } from '../../support/machine.ts';
import { watchThread } from '../../support/content/watchThread.ts';

const insert = (markdown: string, more: object = {}) => ({
  operation: 'insert_page' as const,
  document: { markdown },
  ...more,
});
const update = (page: string, markdown: string, more: object = {}) => ({
  operation: 'update_page' as const,
  page,
  document: { markdown },
  ...more,
});

/** The whole file of a page. */
async function fileOf(editing: Editing, id: string): Promise<string> {
  const { documentId } = await editing.page(id);
  const source = await findDocument(editing.space.organization, documentId);
  if (!source) throw new Error('The page has no file.');
  return Buffer.concat([source.frontmatter, source.body]).toString();
}

const tree = (...texts: string[]): DocumentTree => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: texts.map((text) => ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
  })),
});

describe('a page from Markdown', () => {
  it('is a complete file: frontmatter, title and text', async ({ open }) => {
    const editing = await open({ pages: [] });
    const markdown =
      '---\ndescription: From the file\nhidden: true # for now\nlayout:\n  width: wide\nowner: docs team\n---\n\n# The *title*\n\nText\n';
    const [id] = (await editing.edit(
      insert(markdown, { title: 'Given', description: 'Given', icon: 'gear', hidden: false }),
    )) as [string];
    expect(await editing.page(id)).toMatchObject({
      title: 'The title',
      slug: 'the-title',
      description: 'From the file',
      hidden: true,
      icon: 'gear',
      layout: { width: 'wide' },
      markdown: '\n# The *title*\n\nText\n',
    });
    expect(await fileOf(editing, id)).toBe(markdown.replace('---\n\n', 'icon: gear\n---\n\n'));
  });

  it('takes its title from a leading heading, and from no later one', async ({ open }) => {
    const editing = await open({ pages: [] });
    const [later, none, key, setext] = (await editing.edit(
      insert('Text\n\n# Later\n', { title: 'Given' }),
      insert('Only text\n'),
      insert('---\ntitle: In the keys\n---\nText\n', { title: 'Given' }),
      insert('Under\n=====\n\nText\n'),
    )) as [string, string, string, string];
    expect(await editing.page(later)).toMatchObject({
      title: 'Given',
      markdown: '# Given\n\nText\n\n# Later\n',
    });
    expect(await editing.page(none)).toMatchObject({
      title: 'Untitled',
      markdown: '# Untitled\n\nOnly text\n',
    });
    expect(await editing.page(key)).toMatchObject({
      title: 'In the keys',
      markdown: expect.stringContaining('# In the keys\n\nText\n'),
    });
    expect(await editing.page(setext)).toMatchObject({ title: 'Under', markdown: 'Under\n=====\n\nText\n' });
  });

  it('may begin with a divider, which is not read as frontmatter', async ({ open }) => {
    const editing = await open({ pages: [] });
    const [id] = (await editing.edit(
      insert('---\nBetween dividers\n---\n\nText\n', { title: 'Divided' }),
    )) as [string];
    expect(await editing.markdown(id)).toBe('# Divided\n\n---\nBetween dividers\n---\n\nText\n');
  });

  it('is refused with frontmatter that cannot be parsed, or a condition that cannot be evaluated', async ({
    open,
  }) => {
    const editing = await open({ pages: [] });
    expect(await editing.refused(insert('---\ntitle: "open\n---\n'))).toContain(
      'body.changes[0].document.markdown: has frontmatter that cannot be read',
    );
    expect(await editing.refused(insert('---\nif: run()\n---\n'))).toContain(
      'body.changes[0].document.markdown: has frontmatter whose key `if`',
    );
  });

  it('is refused with too many frontmatter keys and values', async ({ open }) => {
    const editing = await open({ pages: [] });
    const keys = Array.from({ length: 1_001 }, (_, key) => `k${key}: 1\n`).join('');
    expect(await editing.refused(insert(`---\n${keys}---\n`))).toContain('it has more than 1000 keys');
    expect(await editing.refused(insert(`---\n${'a: 1\n'.repeat(12_000)}---\n`))).toContain(
      'it has too many keys and values',
    );
  });

  it(
    'does not block the event loop with large frontmatter in fifty pages',
    { timeout: 120_000 },
    async ({ open }) => {
      const editing = await open({ pages: [] });
      const frontmatter = `---\n${Array.from({ length: 990 }, (_, key) => `k${key}: [${'1, '.repeat(2)}1]\n`).join('')}owner: ${'a word '.repeat(3_000)}\n---\n`;
      const thread = watchThread();
      const ids = await editing.edit(
        ...Array.from({ length: 50 }, (_, page) =>
          insert(`${frontmatter}\n# Page ${page}\n`, { icon: 'gear' }),
        ),
      );
      await editing.edit(
        ...ids.map((id) =>
          update(id, `${frontmatter.replace('k1:', 'k-1:')}\n# Page\n`, {
            emoji: '1f4d6',
            description: 'Changed',
          }),
        ),
      );
      thread.stop();
      expect(thread.longestWorkMs()).toBeLessThan(bound(1_000));
      expect(await editing.page(ids[49] as string)).toMatchObject({
        title: 'Page',
        icon: 'gear',
        description: 'Changed',
      });
    },
  );

  it('keeps every byte of unknown syntax', async ({ open }) => {
    const editing = await open({ pages: [] });
    const body =
      '# T\r\n\r\n{% strange %}\r\n<na>x</na> &nbsp; \\_ **a**\tb\r\n{% endstrange %}\r\n\r\n\r\n* item\r\n';
    const [id] = (await editing.edit(insert(body))) as [string];
    expect(await editing.markdown(id)).toBe(body);
  });
});

describe('a page from a tree', () => {
  it('has the text of the tree below its title', async ({ open }) => {
    const editing = await open({ pages: [] });
    const [id] = (await editing.edit({
      operation: 'insert_page',
      title: 'Tree',
      document: { document: tree('One', 'Two * three') },
    })) as [string];
    expect(await editing.markdown(id)).toBe('# Tree\n\nOne\n\nTwo \\* three\n');
    await editing.edit({
      operation: 'update_page',
      page: id,
      document: { document: tree('Other') },
      description: 'D',
    });
    expect(await fileOf(editing, id)).toBe('---\ndescription: D\n---\n\n# Tree\n\nOther\n');
  });

  it('reads the same when the tree that was read is sent back', async ({ api, admin, open }) => {
    const markdown = [
      '# Rich',
      'Text **bold** _italic_ `code` [link](/pages/other#part) :smile:\\',
      '## Part',
      '* a\n* b\n  1. c',
      '{% hint style="warning" %}\nCareful\n{% endhint %}',
      '```ts\nconst a = 1;\n```',
      '| a | b |\n| - | - |\n| 1 | 2 |',
      '{% tabs %}\n{% tab title="One" %}\nFirst\n{% endtab %}\n{% endtabs %}',
    ].join('\n\n');
    const editing = await open({
      pages: [
        { id: 'rich', title: 'Rich', source: `${markdown}\n` },
        { id: 'other', title: 'Other', source: '# Other\n\n## Part\n' },
      ],
    });
    const read = async () => {
      const { body } = await api.call('GET', `${editing.path}/page/rich?format=document`, {
        token: admin.token,
      });
      return body.document;
    };
    const before = await read();
    await editing.edit({ operation: 'update_page', page: 'rich', document: { document: before } });
    const after = await read();
    expect(after).toEqual(before);
    expect(await editing.page('rich')).toMatchObject({
      title: 'Rich',
      markdown: expect.stringContaining('**bold**'),
    });
  });

  it('is refused when the tree is not valid, or comes with Markdown', async ({ open }) => {
    const editing = await open({ pages: [] });
    const wrong = { ...tree(), nodes: [{ object: 'block', type: 'nonsense' }] };
    expect(await editing.refused({ operation: 'insert_page', document: { document: wrong } })).toContain(
      'body.changes[0].document.document.nodes[0].type',
    );
    expect(
      await editing.refused({ operation: 'insert_page', document: { document: tree('x'), markdown: 'x' } }),
    ).toContain('body.changes[0].document: must have either');
  });
});

describe('a page that receives a new text', () => {
  const file =
    '---\n# a comment\ndescription: Old words\ntags: [a]\nowner: docs # kept\n---\n\n# Old title\n\nOld text\n';

  it('keeps its frontmatter when the given Markdown has none, as when a client sends back the Markdown it read', async ({
    open,
  }) => {
    const editing = await open({
      pages: [
        {
          id: 'page',
          title: 'Old title',
          slug: 'old',
          description: 'Old words',
          tags: [{ tag: 'a' }],
          source: file,
        },
      ],
    });
    const { documentId } = await editing.page('page');
    await editing.edit(update('page', await editing.markdown('page')));
    expect((await editing.page('page')).documentId).toBe(documentId);
    await editing.edit(update('page', '# New title\n\nNew text\n'));
    expect(await editing.page('page')).toMatchObject({
      title: 'New title',
      slug: 'old',
      description: 'Old words',
    });
    expect(await fileOf(editing, 'page')).toMatch(
      /^---\n# a comment\ndescription: Old words\ntags: \[a\]\nowner: docs # kept\n---\n+# New title\n\nNew text\n$/,
    );
  });

  it('is renamed by a new first heading only if its old heading was its title', async ({ open }) => {
    const editing = await open({
      pages: [
        { id: 'own', title: 'Set up', source: '# SET-UP\n\nText\n' },
        { id: 'other', title: 'Set up 2', source: '# Welcome\n\nText\n' },
        { id: 'none', title: 'Set up 3', source: 'Text\n\n# Later\n' },
      ],
    });
    for (const page of ['own', 'other', 'none']) await editing.edit(update(page, '# Start here\n\nMore\n'));
    expect(await editing.outline()).toBe('Start here, Set up 2, Set up 3');
    for (const page of ['own', 'other', 'none'])
      expect(await fileOf(editing, page)).toBe('# Start here\n\nMore\n');
    const rename = (page: string, title: string) => ({ operation: 'update_page' as const, page, title });
    await editing.edit(rename('own', 'A'), rename('other', 'B'), rename('none', 'Start here'));
    expect(await editing.outline()).toBe('A, B, Start here');
    expect(await fileOf(editing, 'own')).toBe('# A\n\nMore\n');
    for (const page of ['other', 'none']) expect(await fileOf(editing, page)).toBe('# Start here\n\nMore\n');
    // A tree has no line for the title.
    await editing.edit({ operation: 'update_page', page: 'other', document: { document: tree('Text') } });
    expect(await fileOf(editing, 'other')).toBe('# B\n\nText\n');
  });

  it('keeps its title when the Markdown has none', async ({ open }) => {
    const editing = await open({
      pages: [{ id: 'page', title: 'Old title', description: 'Old words', source: file }],
    });
    await editing.edit(update('page', 'New text\n'));
    expect(await editing.page('page')).toMatchObject({
      title: 'Old title',
      markdown: expect.stringMatching(/^\s*# Old title\n\nNew text\n$/),
    });
    await editing.edit(update('page', 'Newer\n', { title: 'Field' }));
    expect(await editing.page('page')).toMatchObject({
      title: 'Field',
      markdown: expect.stringMatching(/^\s*# Field\n\nNewer\n$/),
    });
    await editing.edit(update('page', '# Heading\n', { title: 'Field' }));
    expect(await editing.page('page')).toMatchObject({ title: 'Heading' });
  });

  it('changes the keys that the new frontmatter names, and keeps the others', async ({ open }) => {
    const editing = await open({
      pages: [
        { id: 'page', title: 'Old title', description: 'Old words', tags: [{ tag: 'a' }], source: file },
      ],
    });
    await editing.edit(
      update('page', '---\nhidden: true\ndescription:\n---\n# Old title\n', {
        description: 'Field',
        icon: 'star',
      }),
    );
    const page = await editing.page('page');
    expect(page).toMatchObject({ hidden: true, icon: 'star', tags: [{ tag: { tag: 'a' } }] });
    expect(page).not.toHaveProperty('description');
    expect(await fileOf(editing, 'page')).toMatch(
      /^---\nhidden: true\ndescription:\ntags: \[a\]\nowner: docs # kept\nicon: star\n---\n+# Old title\n$/,
    );
  });

  it('is emptied by an empty text, and unchanged by {}', async ({ open }) => {
    const editing = await open({
      pages: [{ id: 'page', title: 'Old title', description: 'Old words', source: file }],
    });
    await editing.edit({ operation: 'update_page', page: 'page', document: {} });
    expect(await fileOf(editing, 'page')).toBe(file);
    await editing.edit(update('page', ''));
    expect(await editing.markdown('page')).toMatch(/^\s*# Old title\n$/);
  });

  it('gets a file with its first metadata when it had none', async ({ open }) => {
    const editing = await open({
      pages: [{ id: 'page', title: 'Empty', description: 'Words', icon: 'star' }],
    });
    await editing.edit({ operation: 'update_page', page: 'page', slug: 'other' });
    expect(await editing.page('page')).not.toHaveProperty('documentId');
    await editing.edit({ operation: 'update_page', page: 'page', hidden: true });
    expect(await fileOf(editing, 'page')).toBe(
      '---\ndescription: Words\nicon: star\nhidden: true\n---\n\n# Empty\n',
    );
  });
});

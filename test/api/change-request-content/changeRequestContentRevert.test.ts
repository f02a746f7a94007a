import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import { itEditing as base, type Editing } from '../../support/content/editing.ts';
import { buildRevision, type TestPage } from '../../support/factories.ts';

const revert = (page: string, more: object = {}) => ({ operation: 'revert_page' as const, page, ...more });
const update = (page: string, more: object) => ({ operation: 'update_page' as const, page, ...more });
const remove = (page: string) => ({ operation: 'delete_page' as const, page });
const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: {},
  ...more,
});

const pages = (): TestPage[] => [
  { id: 'one', title: 'One', source: '# One\n\nText\n' },
  {
    id: 'two',
    title: 'Two',
    description: 'Words',
    source: '---\ndescription: Words\n---\n# Two\n\nText\n',
    pages: [
      {
        id: 'child',
        title: 'Child',
        path: 'two/child',
        source: '# Child\n',
        pages: [{ id: 'leaf', title: 'Leaf', path: 'two/child/leaf' }],
      },
      { id: 'other', title: 'Other', path: 'two/other' },
    ],
  },
  { id: 'three', title: 'Three', source: '# Three\n' },
];

const it = base
  /** The keys of the blocks of a page, by their first words. */
  .extend(
    'keysOf',
    ({ api, admin }) =>
      async (editing: Editing, revision?: string): Promise<Record<string, string>> => {
        const path = revision ? `/v1/spaces/${editing.space._id}/revisions/${revision}` : editing.path;
        const { body } = await api.call('GET', `${path}/page/page?format=document`, { token: admin.token });
        const textOf = ({ leaves = [], nodes = [] }: Node): string =>
          leaves.map(({ text }) => text).join('') + nodes.map(textOf).join('');
        return Object.fromEntries(
          body.document.nodes.map((node: Node) => [textOf(node).split(' ')[0], node.key]),
        );
      },
  )
  .extend('changed', ({ open, keysOf }) => async (markdown: string) => {
    const editing = await open({ pages: [{ id: 'page', title: 'Page', source: before }] });
    const { revision } = await editing.record();
    await editing.edit(update('page', { document: { markdown }, description: 'Kept' }));
    return { editing, old: await keysOf(editing, revision), now: await keysOf(editing) };
  });

describe('revert_page', () => {
  it('restores the text, metadata, slug and position of a changed page', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const { pages: base } = await editing.revision();
    await editing.edit(
      update('two', {
        document: { markdown: '# Changed\n' },
        slug: 'x',
        description: '',
        hidden: true,
        at: 0,
      }),
      update('child', { into: 'three' }),
    );
    expect(await editing.outline()).toBe('Changed (Other), One, Three (Child (Leaf))');
    await editing.edit(revert('two'));
    expect(await editing.outline()).toBe('One, Two (Other), Three (Child (Leaf))');
    await editing.edit(revert('child'));
    expect((await editing.revision()).pages).toBe(base);
  });

  it('deletes a page that was added, and keeps older pages that were moved below it', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const [added] = (await editing.edit(insert('Added', { at: 1 }))) as [string];
    const [below] = (await editing.edit(
      insert('Below', { into: added }),
      update('child', { into: added }),
    )) as [string];
    expect(await editing.outline()).toBe('One, Added (Below, Child (Leaf)), Two (Other), Three');
    expect(await editing.edit(revert(added))).toEqual(
      [added, 'child', below].toSorted((a, b) => Number(b === 'child') - Number(a === 'child')),
    );
    expect(await editing.outline()).toBe('One, Child (Leaf), Two (Other), Three');
    expect(await editing.page('leaf')).toMatchObject({ path: 'child/leaf' });
  });

  it('restores a deleted page with the pages below it, at its former position', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const { pages: base } = await editing.revision();
    await editing.edit(remove('two'));
    expect(await editing.edit(revert('two'))).toEqual(['two', 'child', 'leaf', 'other']);
    expect((await editing.revision()).pages).toBe(base);
    await editing.edit(remove('child'), insert('New', { into: 'two', at: 0 }));
    await editing.edit(revert('child'));
    // Whatever was put in front meanwhile: nothing stood before it.
    expect(await editing.outline()).toBe('One, Two (Child (Leaf), New, Other), Three');
  });

  it('restores a page below its nearest remaining ancestor, or in the root', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(remove('two'));
    await editing.edit(revert('leaf'));
    expect(await editing.outline()).toBe('One, Three, Leaf');
    expect(await editing.page('leaf')).toMatchObject({ path: 'leaf' });
    await editing.edit(revert('two'));
    // Pages that were moved elsewhere stay there.
    expect(await editing.outline()).toBe('One, Two (Child, Other), Three, Leaf');
  });

  it('restores the slug, with a number where another page has it now', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(remove('one'), insert('One'));
    await editing.edit(revert('one'));
    expect(await editing.page('one')).toMatchObject({ slug: 'one-1', path: 'one-1' });
  });

  it('restores a page from a given revision of the space', async ({ open }) => {
    const editing = await open({ pages: pages() });
    await editing.edit(update('one', { title: 'First' }));
    const { revision: first } = await editing.record();
    await editing.edit(update('one', { title: 'Second' }));
    await editing.edit(revert('one', { revision: first }));
    expect(await editing.page('one')).toMatchObject({ title: 'First' });
    const other = await open({ pages: pages() });
    for (const revision of ['nothing', (await other.record()).revision])
      expect(await editing.refused(revert('one', { revision }))).toBe(
        'body.changes[0].revision: must be the id of a revision of this space.',
      );
    expect(await editing.refused(revert('nothing'))).toContain('body.changes[0].page: ');
  });

  it('restores a page from the revision that the change request was last updated with', async ({ open }) => {
    const editing = await open({ pages: pages() });
    const { _id } = await buildRevision(editing.space, {
      pages: [{ id: 'one', title: 'Newer', slug: 'one' }],
    });
    await ChangeRequest.updateOne({ _id: editing.id }, { $set: { revisionMergedAncestor: _id } });
    await editing.edit(revert('one'));
    expect(await editing.page('one')).toMatchObject({ title: 'Newer' });
  });
});

const before =
  '# Page\n\nFirst paragraph.\n\n* a\n\n* b\n\n{% hint style="info" %}\nCareful\n{% endhint %}\n\nLast  paragraph.\n';

type Node = { key: string; leaves?: { text: string }[]; nodes?: Node[] };

describe('revert_page with blocks', () => {
  it('resets the given changed block, and keeps the other changes', async ({ changed }) => {
    const { editing, now } = await changed(
      before.replace('First paragraph', 'Changed paragraph').replace('Last  paragraph', 'Other   end'),
    );
    await editing.edit(revert('page', { block: [now['Changed']] }));
    expect(await editing.markdown('page')).toMatch(
      /^\s*# Page\n\nFirst paragraph\.\n\n\* a\n\n\* b\n\n\{% hint[^]*endhint %\}\n\nOther {3}end\.\n$/,
    );
    expect(await editing.page('page')).toMatchObject({ description: 'Kept' });
  });

  it('removes an added block, and restores a removed one', async ({ changed }) => {
    const { editing, now, old } = await changed(
      '# Page\n\nFirst paragraph.\n\nNew one.\n\n{% hint style="info" %}\nCareful\n{% endhint %}\n\nAdded at the end.\n\nLast  paragraph.\n',
    );
    await editing.edit(revert('page', { block: [now['New'], old['ab'] ?? old['a']] }));
    const text = (await editing.markdown('page')).trim();
    expect(text).toBe(
      '# Page\n\nFirst paragraph.\n\n* a\n\n* b\n\n{% hint style="info" %}\nCareful\n{% endhint %}\n\nAdded at the end.\n\nLast  paragraph.',
    );
  });

  it('refuses unknown block keys, and pages that are in one revision only', async ({ changed }) => {
    const { editing } = await changed(before);
    expect(await editing.refused(revert('page', { block: ['nothing'] }))).toContain(
      'body.changes[0].block: must contain keys of blocks',
    );
    const [added] = (await editing.edit(insert('Added'))) as [string];
    expect(await editing.refused(revert(added, { block: ['x'] }))).toContain(
      'body.changes[0].block: must not be given',
    );
    expect(await editing.refused(revert('page', { block: [] }))).toContain('body.changes[0].block: ');
  });
});

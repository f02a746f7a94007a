import { describe, expect, it } from 'vitest';
import { editInMemory } from '../../../../test/support/editInMemory.ts';
import { exportLab } from '../../../../test/support/exportLab.ts';
import type { PageTree } from '../store/items.ts';
import type { ExportedContent } from './types.ts';

type Files = Record<string, string | Uint8Array>;
type Lab = ReturnType<typeof exportLab>;
type Edit = (change: Parameters<typeof editInMemory>[1]) => Promise<void>;

const filesOf = (files: Files) =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text) as Uint8Array]));

/**
 * Imports, edits and exports.
 *
 * @returns the new text of every file that the export writes, null for one that it removes
 */
async function exported(
  files: Files,
  edit: (given: {
    edit: Edit;
    id: (title: string) => string;
    content: () => ExportedContent;
    lab: Lab;
  }) => Promise<void>,
  {
    isSynced = true,
    into = files,
    ...place
  }: { isSynced?: boolean; into?: Files; projectDirectory?: string; occupied?: string[] } = {},
): Promise<Record<string, string | null>> {
  const lab = exportLab(place);
  const synced = await lab.read(filesOf(files));
  let content: ExportedContent = synced;
  const id = (title: string) => {
    const found = flat(content.pages).find((page) => page.title === title);
    if (!found) throw new Error(`No page is called ${title}.`);
    return found.id;
  };
  await edit({
    lab,
    id,
    content: () => content,
    edit: async (change) => void (content = await editInMemory(content, change, lab.documents)),
  });
  const plan = await lab.plan(content, filesOf(into), isSynced ? synced : undefined);
  const after = lab.apply(plan, filesOf(into));
  return Object.fromEntries(
    plan.changes.map(({ kind, path }) => [
      path,
      kind === 'remove' ? null : Buffer.from(after.get(path) as Uint8Array).toString('utf8'),
    ]),
  );
}

function flat(pages: readonly PageTree[]): PageTree[] {
  return pages.flatMap((page) => [page, ...('pages' in page ? flat(page.pages) : [])]);
}

const nothing = () => Promise.resolve();

const book: Files = {
  'README.md': '# Book\n\nBegin with [one](one.md), or [two](parts/two.md#start).\n',
  'one.md': '# One\n\n![](.gitbook/assets/pic%20(1).png) and [home](README.md).\n',
  'parts/two.md':
    '---\ncover: ../.gitbook/assets/pic (1).png\n# a comment\nx: y\n---\n\n# Two\r\n\r\nSee [one](../one.md), [rules](../LICENSE).\r\n',
  'SUMMARY.md': '# Table of contents\n\n* [Book](README.md)\n* [One](one.md)\n* [Two](parts/two.md)\n',
  '.gitbook/assets/pic (1).png': 'picture',
  LICENSE: 'Free.\n',
  'unlisted.md': '# Nobody lists me\n',
};

describe('a page', () => {
  it('changes its own file when its text changes, and no other', async () => {
    const written = await exported(book, ({ edit, id }) =>
      edit({ operation: 'update_page', page: id('One'), document: { markdown: '# One\n\nNew.\n' } }),
    );
    expect(written).toEqual({ 'one.md': '# One\n\nNew.\n' });
  });

  it('gets a file, a line in the navigation, and links to files instead of ids when it is new', async () => {
    const written = await exported(book, async ({ edit, id }) => {
      const markdown = `[two](/pages/${id('Two')}#start) [gone](/pages/aaaaaaaaaaaaaaaaaaaa)`;
      await edit({ operation: 'insert_page', title: 'Three', into: null, document: { markdown } });
    });
    expect(written).toEqual({
      'three.md': '# Three\n\n[two](parts/two.md#start) [gone](/broken/pages/aaaaaaaaaaaaaaaaaaaa)\n',
      'SUMMARY.md': `${String(book['SUMMARY.md'])}* [Three](three.md)\n`,
    });
  });

  it('moves to the README of its folder when it gains a page below it, and links follow', async () => {
    const written = await exported(book, ({ edit, id }) =>
      edit({ operation: 'insert_page', title: 'Inner', into: id('One'), document: { markdown: 'Inside.' } }),
    );
    expect(written).toEqual({
      'one.md': null,
      'one/README.md': '# One\n\n![](../.gitbook/assets/pic%20%281%29.png) and [home](../README.md).\n',
      'one/inner.md': '# Inner\n\nInside.\n',
      'README.md': '# Book\n\nBegin with [one](one/README.md), or [two](parts/two.md#start).\n',
      'parts/two.md': String(book['parts/two.md']).replace('../one.md', '../one/README.md'),
      'SUMMARY.md':
        '# Table of contents\n\n* [Book](README.md)\n* [One](one/README.md)\n  * [Inner](one/inner.md)\n* [Two](parts/two.md)\n',
    });
  });

  it('gets a file at its path when it cannot keep its file, and an import reads the same path', async () => {
    const files: Files = {
      'README.md': '# Home\n',
      'parts/README.md': '# Parts\n',
      'parts/readme.md': '# Same name\n',
      'parts/readme/README.md': 'Listed nowhere.\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Parts](parts/README.md)\n\n## More\n\n* [Same name](parts/readme.md)\n',
    };
    const written = await exported(files, ({ edit, id }) =>
      edit({
        operation: 'insert_page',
        title: 'Inner',
        into: id('Same name'),
        document: { markdown: 'Inside.' },
      }),
    );
    expect(Object.keys(written).toSorted()).toEqual([
      'SUMMARY.md',
      'more/readme/README.md',
      'more/readme/inner.md',
      'parts/readme.md',
    ]);
    expect(written['SUMMARY.md']).toContain(
      '* [Same name](more/readme/README.md)\n  * [Inner](more/readme/inner.md)\n',
    );
  });

  it('at the path readme keeps it even if README.md belongs to a page below another one', async () => {
    const files: Files = {
      'README.md': '# Home\n',
      'one.md': '# One\n',
      'SUMMARY.md': '* [One](one.md)\n  * [Home](README.md)\n',
    };
    const written = await exported(files, ({ edit }) =>
      edit({ operation: 'insert_page', title: 'Readme', into: null, document: { markdown: 'New.' } }),
    );
    expect(written).toEqual({
      'SUMMARY.md': '* [One](one.md)\n  * [Home](README.md)\n* [Readme](readme/README.md)\n',
      'readme/README.md': '# Readme\n\nNew.\n',
    });
  });

  it('adjusts its relative links and its cover when it moves, and keeps every other byte', async () => {
    const written = await exported(book, ({ edit, id }) =>
      edit({ operation: 'update_page', page: id('Two'), slug: 'second', at: 1 }),
    );
    expect(written).toEqual({
      'parts/two.md': null,
      'second.md':
        '---\ncover: .gitbook/assets/pic (1).png\n# a comment\nx: y\n---\n\n# Two\r\n\r\nSee [one](one.md), [rules](LICENSE).\r\n',
      'README.md': '# Book\n\nBegin with [one](one.md), or [two](second.md#start).\n',
      'SUMMARY.md': '# Table of contents\n\n* [Book](README.md)\n* [Two](second.md)\n* [One](one.md)\n',
    });
  });

  it('loses its file when it is deleted, and links to it stay unchanged', async () => {
    const written = await exported(book, ({ edit, id }) =>
      edit({ operation: 'delete_page', page: id('One') }),
    );
    expect(written).toEqual({
      'one.md': null,
      'SUMMARY.md': '# Table of contents\n\n* [Book](README.md)\n* [Two](parts/two.md)\n',
    });
  });

  it.each([
    ['a file of the repository', 'Unlisted', 'unlisted/README.md'],
    ['the navigation, on a disk without upper case', 'Summary', 'summary/README.md'],
    ['a symbolic link', 'Linked', 'linked/README.md'],
    ['something below a file', 'Below', 'below-1.md'],
  ])('never takes the path of %s', async (_name, title, path) => {
    const into = { ...book, 'below/readme.md': 'not mine', 'BELOW.md/x.txt': 'not mine' };
    const written = await exported(
      into,
      ({ edit }) => edit({ operation: 'insert_page', title, into: null, document: { markdown: 'New.' } }),
      { occupied: ['linked.md'] },
    );
    expect(Object.keys(written)).toEqual(['SUMMARY.md', path].toSorted());
  });

  it('keeps bytes that are not text when a link in it changes', async () => {
    const bytes = Uint8Array.from([
      ...Buffer.from('# Caf'),
      0xe9,
      ...Buffer.from('\n\n[one](one.md) \u00e9'),
      0xff,
    ]);
    const lab = exportLab();
    const files = filesOf({ ...book, 'parts/two.md': '# Two\n', 'README.md': bytes });
    const synced = await lab.read(files);
    const page = flat(synced.pages).find(({ title }) => title === 'One') as PageTree;
    const content = await editInMemory(
      synced,
      { operation: 'update_page', page: page.id, slug: 'uno' },
      lab.documents,
    );
    const after = lab.apply(await lab.plan(content, files, synced), files);
    expect(Buffer.from(after.get('README.md') as Uint8Array)).toEqual(
      Buffer.from([...Buffer.from('# Caf'), 0xe9, ...Buffer.from('\n\n[one](uno.md) \u00e9'), 0xff]),
    );
  });
});

describe('the loaded documents', () => {
  it('are only the changed documents', async () => {
    const lab = exportLab();
    const synced = await lab.read(filesOf(book));
    const page = flat(synced.pages).find(({ title }) => title === 'One') as PageTree;
    const content = await editInMemory(
      synced,
      { operation: 'update_page', page: page.id, description: 'Said' },
      lab.documents,
    );
    await lab.plan(content, filesOf(book), synced);
    const changed = flat(content.pages).find(({ id }) => id === page.id);
    expect(lab.asked).toEqual([changed && 'document' in changed && changed.document]);
  });

  it('are all documents when a page moves, because others may link to it', async () => {
    const lab = exportLab();
    const synced = await lab.read(filesOf(book));
    const page = flat(synced.pages).find(({ title }) => title === 'One') as PageTree;
    const content = await editInMemory(
      synced,
      { operation: 'update_page', page: page.id, slug: 'uno' },
      lab.documents,
    );
    await lab.plan(content, filesOf(book), synced);
    expect(lab.asked).toHaveLength(3);
  });
});

describe('a branch that was never in sync with the space', () => {
  it('gets all content when it is empty, including redirects and variables', async () => {
    const from = {
      ...book,
      '.gitbook.yaml': 'redirects:\n  old: one.md\n',
      '.gitbook/vars.yaml': 'product: Book\n',
    };
    const written = await exported(from, nothing, { isSynced: false, into: {} });
    expect(Object.keys(written)).toEqual([
      '.gitbook.yaml',
      '.gitbook/assets/pic (1).png',
      '.gitbook/vars.yaml',
      'LICENSE',
      'README.md',
      'SUMMARY.md',
      'one.md',
      'parts/two.md',
    ]);
    for (const path of [
      'README.md',
      'one.md',
      'parts/two.md',
      'SUMMARY.md',
      '.gitbook.yaml',
      '.gitbook/vars.yaml',
    ])
      expect(written[path]).toBe((from as Files)[path]);
  });

  it('gets a file for the landing page, which an import recognizes as that page', async () => {
    const lab = exportLab();
    const time = '2026-01-01T00:00:00.000Z';
    const start: PageTree = {
      type: 'document',
      id: 'start',
      title: 'A *new* space',
      slug: 'readme',
      path: 'readme',
      createdAt: time,
      updatedAt: time,
      pages: [],
    };
    const content: ExportedContent = {
      pages: [start],
      files: [],
      reusableContents: [],
      variables: [],
      redirects: [],
    };
    const plan = await lab.plan(content, new Map());
    const after = lab.apply(plan, new Map());
    expect(
      Object.fromEntries(Array.from(after, ([path, bytes]) => [path, Buffer.from(bytes).toString()])),
    ).toEqual({
      'README.md': '# A \\*new\\* space\n',
      'SUMMARY.md': '# Table of contents\n\n* [A \\*new\\* space](README.md)\n',
    });
    const { document } = plan.rewritten.get('start') ?? {};
    const exportedContent = {
      ...content,
      pages: [{ ...start, git: plan.pages.get('start'), document } as PageTree],
    };
    expect(await lab.read(after, exportedContent)).toEqual(exportedContent);
    expect((await lab.plan(exportedContent, after, exportedContent)).changes).toEqual([]);
  });

  it('gets its files below its own content root', async () => {
    const into = { '.gitbook.yaml': 'root: ./docs/\n', 'code.ts': '' };
    const written = await exported({ ...book, 'parts/two.md': '# Two\n' }, nothing, {
      isSynced: false,
      into,
    });
    expect(Object.keys(written)).toEqual([
      'docs/.gitbook/assets/pic (1).png',
      'docs/README.md',
      'docs/SUMMARY.md',
      'docs/one.md',
      'docs/parts/two.md',
    ]);
    expect(written['docs/one.md']).toBe(book['one.md']);
  });

  it('loses the pages and uploaded files that it had, and nothing else', async () => {
    const into = {
      'SUMMARY.md': '* [Old](old.md)\n* [One](one.md)\n',
      'old.md': '# Old\n',
      'one.md': '# Another one\n',
      '.gitbook/assets/old.png': 'old',
      'notes.md': '# Unlisted\n',
      'code.ts': '',
    };
    const written = await exported(book, nothing, { isSynced: false, into });
    expect(written).toMatchObject({
      'old.md': null,
      '.gitbook/assets/old.png': null,
      'one.md': book['one.md'],
    });
    expect(Object.keys(written)).not.toContain('notes.md');
    expect(Object.keys(written)).not.toContain('code.ts');
  });
});

describe('.gitbook.yaml', () => {
  const redirected =
    '# ours\nroot: ./ # here\nunknown: {a: 1}\nredirects:\n  old/one: one.md # gone\n  "old/two": parts/two.md#start\n';

  it('redirects to a page that moves, and keeps everything else', async () => {
    const written = await exported({ ...book, '.gitbook.yaml': redirected }, ({ edit, id }) =>
      edit({ operation: 'update_page', page: id('Two'), slug: 'second' }),
    );
    expect(written['.gitbook.yaml']).toBe(redirected.replace('parts/two.md#start', 'second.md#start'));
  });
});

describe('a repository without SUMMARY.md', () => {
  const { 'SUMMARY.md': _, ...folders } = book;

  it('gets no SUMMARY.md while its folders give the same navigation', async () => {
    const written = await exported(folders, ({ edit, id }) =>
      edit({ operation: 'update_page', page: id('One'), document: { markdown: '# One\n\nNew.\n' } }),
    );
    expect(Object.keys(written)).toEqual(['one.md']);
  });

  it('gets a SUMMARY.md when its folders give another navigation', async () => {
    const written = await exported(folders, ({ edit, id }) =>
      edit({ operation: 'update_page', page: id('One'), at: 3 }),
    );
    expect(Object.keys(written)).toEqual(['SUMMARY.md']);
  });
});

describe('a file and a reusable content', () => {
  it('go to the folder .gitbook, the file under a free name', async () => {
    const lab = exportLab();
    const files = filesOf(book);
    const synced = await lab.read(files);
    const content: ExportedContent = {
      ...synced,
      files: [
        ...synced.files,
        {
          id: 'f1',
          name: 'PIC (1).png',
          contentType: 'image/png',
          sizeBytes: 3,
          blob: lab.keepBlob(Buffer.from('new')),
        },
      ],
      reusableContents: [
        {
          id: 'r1',
          title: 'Where: to ask?',
          document: lab.keepDocument(Buffer.from('Ask [here](/files/f1).\n')),
        },
      ],
    };
    const plan = await lab.plan(content, files, synced);
    const after = lab.apply(plan, files);
    expect(plan.changes.map(({ path }) => path)).toEqual([
      '.gitbook/assets/PIC (1) (1).png',
      '.gitbook/includes/where-to-ask.md',
    ]);
    expect(Buffer.from(after.get('.gitbook/includes/where-to-ask.md') as Uint8Array).toString()).toBe(
      '---\ntitle: "Where: to ask?"\n---\n\nAsk [here](../assets/PIC%20%281%29%20%281%29.png).\n',
    );
  });
});

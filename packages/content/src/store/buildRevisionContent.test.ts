import { describe, expect, it } from 'vitest';
import { editInMemory } from '../../../../test/support/editInMemory.ts';
import { exportLab } from '../../../../test/support/exportLab.ts';
import type { ExportedContent } from '../export/types.ts';
import { indexPages } from './tree.ts';
import type { PageTree } from './items.ts';

type Lab = ReturnType<typeof exportLab>;
type Change = Parameters<typeof editInMemory>[1];

const filesOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text) as Uint8Array]));
const titled = ({ pages }: ExportedContent, title: string) =>
  [...indexPages([...pages]).byId.values()].find(({ page }) => page.title === title)?.page as Extract<
    PageTree,
    { path: string }
  >;

/** The title of the page with this path; `-> title` when the path redirects to a page with another path. */
function at({ pages }: ExportedContent, path: string): string | undefined {
  const { byPath, byFilePath } = indexPages([...pages]);
  const found = byFilePath.get(path);
  return byPath.get(path)?.page.title ?? (found && `-> ${found.page.title}`);
}

/** Exports content. @returns the content with its git locations, and the files of the repository */
async function exported(
  lab: Lab,
  content: ExportedContent,
  files: ReadonlyMap<string, Uint8Array>,
  synced?: ExportedContent,
) {
  const plan = await lab.plan(content, files, synced);
  return { content: lab.settle(content, plan), files: lab.apply(plan, files) };
}

const files = filesOf({
  'README.md': '# Home\n',
  'guide/intro.md': '# Intro\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Intro](guide/intro.md)\n',
});

describe('the path of a page', () => {
  it.each(['Aux', 'con', 'COM1', '語'.repeat(90)])(
    'survives an export and imports when the page was created in the space as %s',
    async (title) => {
      const lab = exportLab();
      const synced = await lab.read(files);
      const change: Change = { operation: 'insert_page', title, into: null, document: { markdown: 'Text' } };
      const edited = await editInMemory(synced, change, lab.documents);
      const child: Change = {
        operation: 'insert_page',
        title: 'Below',
        into: titled(edited, title).id,
        document: { markdown: 'Text' },
      };
      const content = await editInMemory(edited, child, lab.documents);
      const { path } = titled(content, title);
      const sent = await exported(lab, content, files, synced);
      const again = await lab.read(sent.files, await lab.read(sent.files, sent.content));
      expect(titled(again, title)).toMatchObject({ path, id: titled(content, title).id });
      expect(titled(again, 'Below')).toMatchObject({ path: `${path}/below` });
      expect((await lab.plan(again, sent.files, again)).changes).toEqual([]);
    },
  );

  it('redirects to the page after imports moved it, for the last four paths', async () => {
    const lab = exportLab();
    let content = await lab.read(files);
    for (const folder of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const moved = filesOf({
        'README.md': '# Home\n',
        [`${folder}.md`]: '# Intro\n',
        'SUMMARY.md': `# Table of contents\n\n* [Home](README.md)\n* [Intro](${folder}.md)\n`,
      });
      content = await lab.read(moved, content);
      expect(await lab.read(moved, content)).toEqual(content);
    }
    const found = ['f', 'e', 'd', 'c', 'b', 'a', 'intro', 'guide/intro'].map((path) => at(content, path));
    expect(found).toEqual([
      'Intro',
      '-> Intro',
      '-> Intro',
      '-> Intro',
      '-> Intro',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('redirects from the path that an earlier version gave the page', async () => {
    const lab = exportLab();
    const synced = await lab.read(files);
    const then: ExportedContent = {
      ...synced,
      pages: synced.pages.map((page) => {
        if (page.title !== 'Intro') return page;
        const { filePath: _, ...intro } = page as Extract<PageTree, { type: 'document' }>;
        const made = {
          ...intro,
          git: undefined,
          id: 'made',
          title: 'Made',
          slug: 'made',
          path: 'guide/intro/made',
          pages: [],
        };
        const { git: __, ...child } = made;
        return { ...intro, path: 'guide/intro', pages: [child] } as PageTree;
      }),
    };
    const sent = await exported(lab, then, files, synced);
    const content = await lab.read(sent.files, sent.content);
    expect(['intro/made', 'guide/intro/made', 'guide/intro'].map((path) => at(content, path))).toEqual([
      'Made',
      '-> Made',
      '-> Intro',
    ]);
  });

  it('belongs to another page as soon as that page takes it', async () => {
    const lab = exportLab();
    const summary = '# Table of contents\n\n* [Home](README.md)\n* [Two](two.md)\n';
    const moved = filesOf({ 'README.md': '# Home\n', 'two.md': '# Intro\n', 'SUMMARY.md': summary });
    const content = await lab.read(moved, await lab.read(files));
    expect(at(content, 'intro')).toBe('-> Two');
    const taken = new Map([
      ...moved,
      ...filesOf({ 'intro.md': '# New\n', 'SUMMARY.md': `${summary}* [New](intro.md)\n` }),
    ]);
    const after = await lab.read(taken, content);
    expect([at(after, 'intro'), at(after, 'guide/intro')]).toEqual(['New', '-> Two']);
    expect(titled(after, 'Two')).toMatchObject({ oldPaths: ['guide/intro'] });
  });
});

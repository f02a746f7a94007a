import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../../test/support/independentReader.ts';
import { memoryRepository } from '../../../../test/support/memoryRepository.ts';
import { navigationOf } from '../../../../test/support/navigationLines.ts';
import { readSpaceContent } from './reader/readSpaceContent.ts';
import type { SpaceContent } from './types.ts';

const read = (files: Record<string, string>, projectDirectory = ''): Promise<SpaceContent> =>
  readSpaceContent(memoryRepository(files), { projectDirectory });
const linesOf = (content: SpaceContent) => navigationOf(content).map(lineOf);

describe('a repository without SUMMARY.md', () => {
  it('lists pages in the byte order of names, README first, folders with their README', async () => {
    const content = await read({
      'zeta.md': '# Z',
      'README.md': '# Home',
      'Beta.md': '# Beta',
      'alpha/z.md': '# z',
      'alpha/README.md': '# Alpha',
      'alpha/inner/x.md': '# x',
      'alpha.md': '# Alpha file',
      'alpha-1.md': '# Alpha one',
      '温室.md': '# 温室',
      'é.md': '# é',
    });
    expect(linesOf(content)).toEqual([
      'page Home | README.md',
      'page Beta | Beta.md',
      'page Alpha | alpha/README.md',
      '  empty inner',
      '    page x | alpha/inner/x.md',
      '  page z | alpha/z.md',
      'page Alpha one | alpha-1.md',
      'page Alpha file | alpha.md',
      'page Z | zeta.md',
      'page é | é.md',
      'page 温室 | 温室.md',
    ]);
  });

  it('omits folders that begin with a dot or contain no Markdown', async () => {
    const content = await read({
      '.github/x.md': '# X',
      '.gitbook/includes/i.md': '# I',
      'src/main.c': '',
      'src/deep/a.c': '',
      'docs/.hidden/y.md': '# Y',
      'docs/img/z.png': '',
      'a.md': '# A',
    });
    expect(linesOf(content)).toEqual(['page A | a.md']);
  });

  it('titles a page without a heading by its file, and a folder without a README by its name', async () => {
    const content = await read({ 'Some notes.md': 'x', 'My Folder/a.md': 'y', 'b/README.md': 'z' });
    expect(content.pages).toMatchObject([
      {
        title: 'My Folder',
        path: 'my-folder',
        slug: 'my-folder',
        pages: [{ title: 'a', path: 'my-folder/a' }],
      },
      { title: 'Some notes', path: 'some-notes' },
      { title: 'README', path: 'b' },
    ]);
    expect(content.pages[0]).not.toHaveProperty('git');
    expect(content.pages[0]).not.toHaveProperty('linkTitle');
  });

  it('gives a folder the same path as a navigation that replaces the folders', async () => {
    const files = {
      '@scope/x!/a.md': '# A',
      '@scope/x!/b.md': '# B',
      'scope/c.md': '# C',
      'Über uns/README.md': '# D',
    };
    const listed =
      '* @scope\n  * x\\!\n    * [A](@scope/x!/a.md)\n    * [B](@scope/x!/b.md)\n* scope\n  * [C](scope/c.md)\n* [D](Über%20uns/README.md)\n';
    const { pages } = await read({ ...files, 'other.md': '# Other' });
    expect(pages).toMatchObject([
      {
        title: '@scope',
        path: '-scope',
        pages: [{ title: 'x!', path: '-scope/x-', pages: [{ path: '-scope/x-/a' }, {}] }],
      },
      { title: 'Other' },
      { title: 'scope', path: 'scope' },
      { title: 'D', path: 'über-uns' },
    ]);
    const withNavigation = await read({ ...files, 'SUMMARY.md': listed });
    expect(withNavigation.pages).toEqual(pages.filter(({ title }) => title !== 'Other'));
  });

  it('gives a path to the file rather than the folder', async () => {
    const content = await read({ 'a/x.md': '', 'a.md': '' });
    expect(content.pages).toMatchObject([
      { title: 'a', path: 'a-1', pages: [{ path: 'a-1/x', filePath: 'a/x' }] },
      { title: 'a', path: 'a' },
    ]);
  });

  it('accepts names that differ only in case or composition', async () => {
    const content = await read({
      'README.md': '# 1',
      'readme.md': '# 2',
      'e\u0301.md': '# 3',
      '\u00e9.md': '# 4',
    });
    expect(content.pages).toMatchObject([
      { title: '1', path: 'readme' },
      { title: '3', path: '\u00e9' },
      { title: '2', path: 'readme-1', filePath: 'readme' },
      { title: '4', path: '\u00e9-1' },
    ]);
  });

  it('puts the configured landing page first', async () => {
    const content = await read({
      '.gitbook.yaml': 'structure: {readme: z/start.md}',
      'z/start.md': '# Start',
      'z/b.md': '# B',
      'README.md': '# Readme',
    });
    expect(linesOf(content)).toEqual([
      'page Start | z/start.md',
      'page Readme | README.md',
      'empty z',
      '  page B | z/b.md',
    ]);
  });

  it('stays inside the root', async () => {
    const content = await read({ 'docs/a.md': '# A', 'docs-old/b.md': '# B', 'c.md': '# C' }, 'docs');
    expect(linesOf(content)).toEqual(['page A | docs/a.md']);
  });

  it('may nest folders 400 deep', async () => {
    const content = await read({ [`${'d/'.repeat(400)}a.md`]: '# A', 'b.md': '# B' });
    const lines = navigationOf(content);
    expect(lines).toHaveLength(402);
    expect(Math.max(...lines.map(({ depth }) => depth))).toBe(63);
    expect(content.warnings).toMatchObject([{ code: 'page_depth', path: `${'d/'.repeat(400)}a.md` }]);
  });
});

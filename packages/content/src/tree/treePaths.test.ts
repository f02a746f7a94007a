import { expect, it } from 'vitest';
import { memoryTree, pagesOf } from '../../../../test/support/memoryTree.ts';
import type { PageTree } from '../store/items.ts';
import { settleTreePaths, withTreePaths } from './treePaths.ts';

const page = (
  id: string,
  {
    path,
    slug = path.slice(path.lastIndexOf('/') + 1),
    file,
  }: { path: string; slug?: string; file?: string },
  pages: PageTree[] = [],
) =>
  ({
    type: 'document',
    id,
    title: id,
    slug,
    path,
    ...(file !== undefined && { git: { oid: '1', path: file } }),
    pages,
  }) as unknown as PageTree;

/** As imported when paths followed files. */
const earlier = [
  page('home', { path: '', slug: '', file: 'docs/README.md' }),
  page('guides', { path: 'guides' }, [
    page('label', { path: 'x', slug: 'x' }),
    page('x', { path: 'start/x', file: 'docs/start/x.md' }, [
      page('deep', { path: 'deep/y', file: 'docs/deep/y.md' }),
    ]),
    page('other', { path: 'other/x', file: 'docs/other/x.md' }),
  ]),
];

function linesOf(pages: readonly PageTree[]): string[] {
  return pages.flatMap((one) =>
    'path' in one ? [`${one.id} ${one.slug} ${one.path} ${one.filePath ?? '-'}`, ...linesOf(one.pages)] : [],
  );
}

const expected = [
  'home readme readme -',
  'guides guides guides -',
  'label x-2 guides/x-2 x',
  'x x guides/x start/x',
  'deep y guides/x/y deep/y',
  'other x-1 guides/x-1 other/x',
];

it('paths follow the tree and keep the file paths beside them; a second run changes nothing', () => {
  const settled = withTreePaths(earlier);
  expect(linesOf(settled)).toEqual(expected);
  expect(withTreePaths(settled)).toEqual(settled);
});

it('the result is the same in a tree that is being edited', () => {
  const edit = memoryTree(earlier).edit();
  settleTreePaths(edit);
  expect(linesOf(pagesOf(edit))).toEqual(expected);
  expect(edit.pageAtFilePath('start/x')?.page.id).toBe('x');
  expect(edit.pageAtPath('')?.page.id).toBe('home');
});

it('the time grows with pages, not with pairs of them', () => {
  const pages = Array.from({ length: 20_000 }, (_, index) =>
    page(`p${index}`, { path: `${index}/x`, file: `${index}/x.md` }),
  );
  expect(new Set(withTreePaths(pages).map((one) => ('path' in one ? one.path : ''))).size).toBe(20_000);
});

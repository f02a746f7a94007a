import { expect, it } from 'vitest';
import { memoryRepository } from '../../../../../test/support/memoryRepository.ts';
import { foldersGive } from './navigation.ts';
import { settleNavigation } from './navigationSettle.ts';
import type { NavigationPage } from '../types.ts';

const { entries } = memoryRepository({
  'README.md': '# Home',
  'a.md': '# A',
  'b/c.md': '',
  'b/.x/no.md': '',
  'd/README.md': '# D',
  'd/e.md': '# E',
});
const page = (file: string, title: string, ...pages: NavigationPage[]): NavigationPage => ({
  kind: 'page',
  file,
  title,
  hasHeading: true,
  pages,
});
const unheaded = (file: string, title: string): NavigationPage => ({
  kind: 'page',
  file,
  title,
  hasHeading: false,
  pages: [],
});
const folders: NavigationPage[] = [
  page('README.md', 'Home'),
  page('a.md', 'A'),
  { kind: 'empty', title: 'b', pages: [unheaded('b/c.md', 'c')] },
  page('d/README.md', 'D', page('d/e.md', 'E')),
];

it('needs no SUMMARY.md when the folders give the same navigation', () => {
  const place = { entries, root: '', landing: 'README.md' };
  expect(foldersGive(folders, place)).toBe(true);
  expect(foldersGive([], { ...place, entries: new Map(), landing: undefined })).toBe(true);
});

it.each<[name: string, wanted: NavigationPage[]]>([
  ['in another order', folders.toReversed()],
  ['without one of them', folders.slice(1)],
  [
    'with a title that no file says',
    [
      ...folders.slice(0, 2),
      { kind: 'empty', title: 'b', pages: [unheaded('b/c.md', 'Other')] },
      ...folders.slice(3),
    ],
  ],
  [
    'with another folder',
    [
      ...folders.slice(0, 2),
      { kind: 'empty', title: 'B', pages: [unheaded('b/c.md', 'c')] },
      ...folders.slice(3),
    ],
  ],
  [
    'with a short title',
    [{ ...(folders[0] as Extract<NavigationPage, { kind: 'page' }>), linkTitle: 'H' }, ...folders.slice(1)],
  ],
  ['with a group', [{ kind: 'group', title: 'G', pages: folders }]],
  ['with a link', [...folders, { kind: 'link', title: 'X', target: { kind: 'url', url: 'https://x.org' } }]],
])('needs a SUMMARY.md for pages %s', (_, wanted) => {
  expect(foldersGive(wanted, { entries, root: '', landing: 'README.md' })).toBe(false);
});

it('puts pages that are too deep beside the deepest', () => {
  let wanted: NavigationPage = { kind: 'empty', title: '66', pages: [] };
  for (let level = 65; level >= 1; level -= 1)
    wanted = { kind: 'empty', title: String(level), pages: [wanted] };
  let pages: readonly NavigationPage[] = settleNavigation([wanted], {
    root: '',
    summary: 'SUMMARY.md',
    entries,
  });
  const titles: string[][] = [];
  while (pages.length > 0) {
    titles.push(pages.map(({ title }) => title));
    pages = pages.flatMap((found) => ('pages' in found ? found.pages : []));
  }
  expect(titles).toHaveLength(64);
  expect(titles.at(-1)).toEqual(['64', '65', '66']);
});

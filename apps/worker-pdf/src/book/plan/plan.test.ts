import type { PageTree } from '@bindery/content';
import { describe, expect, it } from 'vitest';
import { allEntries, pruneEntries, selectEntries, type BookEntry } from './bookEntries.ts';
import { chaptersOf } from './chapters.ts';
import { groupPieces, headingsOf, sectionsOf, type PlacedPiece } from './chunks.ts';
import { chunkBytes, maxPictureBytes } from './limits.ts';
import { cutPage, type Picture } from './pieces.ts';

const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
const page = (id: string, pages: PageTree[] = [], more: object = {}): PageTree =>
  ({
    id,
    title: id.toUpperCase(),
    type: 'document',
    slug: id,
    path: id,
    pages,
    ...times,
    ...more,
  }) as PageTree;
const group = (id: string, pages: PageTree[], more: object = {}): PageTree =>
  ({ ...page(id, pages, more), type: 'group' }) as PageTree;
const link = (id: string): PageTree =>
  ({ id, title: id, type: 'link', target: { kind: 'url', url: 'https://x.test' }, ...times }) as PageTree;

const tree = [
  page('a', [page('a1'), page('a2', [], { hidden: true })]),
  group('g', [link('l'), group('h', [page('b', [page('b1')])])]),
  page('secret', [page('below')], { hidden: true }),
  group('empty', [link('m')]),
];
const ids = (entries: Iterable<BookEntry>) => [...entries].map((entry) => entry.page.id).join(' ');
const all = { only: false };

describe('the pages of a book', () => {
  it('are the pages of the navigation, in its order', () => {
    expect(ids(allEntries(selectEntries(tree, all)))).toBe('a a1 g l h b b1 empty m');
    expect(ids(allEntries(selectEntries(tree, { ...all, withHidden: true })))).toBe(
      'a a1 a2 g l h b b1 secret below empty m',
    );
  });

  it('are one page with or without the pages below it, even if it is hidden', () => {
    expect(ids(allEntries(selectEntries(tree, { page: 'g', only: false })))).toBe('g l h b b1');
    expect(ids(allEntries(selectEntries(tree, { page: 'b', only: true })))).toBe('b');
    expect(ids(allEntries(selectEntries(tree, { page: 'secret', only: false })))).toBe('secret below');
    expect(selectEntries(tree, { page: 'nothing', only: false })).toEqual([]);
  });

  it('move up to the nearest kept page', () => {
    const kept = pruneEntries(selectEntries(tree, all), (id) => ['a1', 'h', 'b1'].includes(id));
    expect(kept.map((entry) => [entry.page.id, ids(entry.children)])).toEqual([
      ['a1', ''],
      ['h', 'b1'],
    ]);
  });

  it('have unique ids in the book', () => {
    const entries = [...allEntries(selectEntries(tree, all))];
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });
});

describe('the chapters of a book', () => {
  const shape = (entries: BookEntry[]) =>
    chaptersOf(entries).map(({ groups, page: first }) => [ids(groups), first?.page.id]);

  it('begin with each page, below the titles of the groups that it opens', () => {
    expect(shape(selectEntries(tree, all))).toEqual([
      ['', 'a'],
      ['', 'a1'],
      ['g h', 'b'],
      ['', 'b1'],
      ['empty', undefined],
    ]);
  });

  it('are empty for a book without pages', () => {
    expect(shape(selectEntries([link('x')], all))).toEqual([]);
  });
});

describe('a large page', () => {
  const parts = ['<h1 id="t">T</h1>aa', '<h2 id="x">X</h2>bbbb<h3 id="y">Y</h3>', '<h2 id="z">Z</h2>files/p'];
  const html = parts.join('');
  const cuts = [parts[0]!.length, parts[0]!.length + parts[1]!.length];
  const headings = ['t', 'x', 'y', 'z'].map((id, index) => ({ id, level: index + 1, title: id }));
  const pictures: Picture[] = [{ path: 'files/p', blob: 'p', sizeBytes: 1, type: 'image/png' }];
  const rendered = { html, cuts, headings, pictures, hasMath: false, direction: 'ltr' as const };
  const shape = (maxBytes: number) =>
    cutPage(rendered, maxBytes).map((piece) => [
      piece.html,
      piece.headings.map(({ id }) => id).join(''),
      piece.pictures.length,
    ]);

  it('is cut where second-level headings begin, into as few pieces as fit', () => {
    expect(shape(10)).toEqual([
      [parts[0], 't', 0],
      [parts[1], 'xy', 0],
      [parts[2], 'z', 1],
    ]);
    expect(shape(parts[0]!.length + parts[1]!.length)).toEqual([
      [parts[0]! + parts[1]!, 'txy', 0],
      [parts[2], 'z', 1],
    ]);
    expect(shape(html.length)).toEqual([[html, 'txyz', 1]]);
  });

  it('is cut at each second-level heading, and the titles of its groups stay above the first section', () => {
    const headHeadings = [{ id: 'g', level: 1, title: 'g' }];
    const placed = { ...rendered, chapter: 0, head: '<h1>g</h1>', headHeadings };
    const sections = cutPage(placed, html.length).flatMap(sectionsOf);
    expect(sections.map(({ head, ...each }) => [head, each.html])).toEqual([
      ['<h1>g</h1>', parts[0]],
      ['', parts[1]],
      ['', parts[2]],
    ]);
    expect(headingsOf(sections).map(({ id }) => id)).toEqual(['g', 't', 'x', 'y', 'z']);
    // A piece of several sections can be cut again.
    const [large] = cutPage(placed, parts[0]!.length + parts[1]!.length);
    expect(sectionsOf(large!).map((each) => each.html)).toEqual([parts[0], parts[1]]);
  });

  it('stays whole if its list of headings does not match its HTML', () => {
    expect(cutPage({ ...rendered, headings: headings.slice(1) }, 10)).toHaveLength(1);
  });
});

describe('chunks', () => {
  const piece = (chapter: number, bytes: number, sizeBytes = 0): PlacedPiece => ({
    chapter,
    html: 'x'.repeat(bytes),
    headings: [],
    pictures: sizeBytes > 0 ? [{ path: 'p', blob: 'p', sizeBytes, type: 'image/png' }] : [],
    hasMath: false,
    cuts: [],
    head: '',
    headHeadings: [],
    direction: 'ltr',
  });
  const shape = async (pieces: PlacedPiece[]) => {
    const chunks: number[][] = [];
    for await (const chunk of groupPieces(source(pieces)))
      chunks.push(chunk.pieces.map(({ chapter }) => chapter));
    return chunks;
  };
  async function* source(pieces: PlacedPiece[]) {
    yield* pieces;
  }

  it('are full at their usual size, and exceed the maximum only for a single piece', async () => {
    const { full, max } = chunkBytes;
    expect(await shape([piece(0, full - 1), piece(1, 10), piece(2, 10)])).toEqual([[0, 1], [2]]);
    expect(await shape([piece(0, full - 1), piece(1, max), piece(2, 10)])).toEqual([[0], [1], [2]]);
    expect(await shape([piece(0, 2 * max), piece(1, 1)])).toEqual([[0], [1]]);
    expect(await shape([])).toEqual([]);
  });

  it('hold no more pictures than fit into memory', async () => {
    const most = maxPictureBytes;
    expect(await shape([piece(0, 1, most - 1), piece(1, 1, 1), piece(2, 1, 1)])).toEqual([[0, 1], [2]]);
  });
});

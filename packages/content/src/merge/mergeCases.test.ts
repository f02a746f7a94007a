import { describe, expect, it } from 'vitest';
import { memoryTree, pagesOf } from '../../../../test/support/memoryTree.ts';
import type { PageTree } from '../store/items.ts';
import { mergeTrees } from './mergeTrees.ts';

const time = '2026-01-01T00:00:00.000Z';

/** A page with an id and subpages; `slug` defaults to the id. */
function page(
  id: string,
  pages: PageTree[] = [],
  { above = '', slug = id, ...fields }: { above?: string; slug?: string; title?: string; type?: string } = {},
): PageTree {
  const path = above === '' ? slug : `${above}/${slug}`;
  return {
    type: 'document',
    id,
    title: id,
    slug,
    createdAt: time,
    updatedAt: time,
    ...fields,
    path,
    pages: pages.map((below) => under(path, below)),
  } as PageTree;
}

function under(path: string, below: PageTree): PageTree {
  if (!('path' in below)) return below;
  const own = `${path}/${below.slug}`;
  return { ...below, path: own, pages: below.pages.map((child) => under(own, child)) };
}

function merge(base: PageTree[], ours: PageTree[], theirs: PageTree[]) {
  const { edit, conflicts, kept, toMerge } = mergeTrees({
    base: memoryTree(base),
    ours: memoryTree(ours),
    theirs: memoryTree(theirs),
  });
  return {
    tree: outline(pagesOf(edit)),
    pages: pagesOf(edit),
    conflicts,
    kept: kept.map(({ id }) => id).toSorted(),
    toMerge,
  };
}

/** `a(b c(d))` */
function outline(pages: readonly PageTree[]): string {
  return pages
    .map((one) => one.id + ('pages' in one && one.pages.length > 0 ? `(${outline(one.pages)})` : ''))
    .join(' ');
}
const paths = (pages: readonly PageTree[]): string[] =>
  pages.flatMap((one) => ('path' in one ? [one.path, ...paths(one.pages)] : []));

describe('positions', () => {
  it('of pages that both sides added are kept, ours first', () => {
    const base = [page('a'), page('b')];
    expect(merge(base, [page('a'), page('x'), page('b')], [page('a'), page('y'), page('b')]).tree).toBe(
      'a x y b',
    );
    expect(
      merge(base, [page('x'), page('a'), page('b')], [page('y'), page('a'), page('b'), page('z')]).tree,
    ).toBe('x y a b z');
  });

  it('follow a move of one side and an edit of the other', () => {
    const base = [page('a', [page('b')]), page('c')];
    const { tree, pages, conflicts } = merge(
      base,
      [page('a'), page('c', [page('b')])],
      [page('a', [page('b', [], { title: 'B' })]), page('c')],
    );
    expect([tree, conflicts]).toEqual(['a c(b)', []]);
    expect(pages[1]).toMatchObject({ pages: [{ title: 'B', path: 'c/b' }] });
  });

  it('come from theirs when both sides moved a page, and the conflict is reported', () => {
    const base = [page('a'), page('b'), page('c')];
    const { tree, conflicts } = merge(
      base,
      [page('a', [page('c')]), page('b')],
      [page('a'), page('b', [page('c')])],
    );
    expect(tree).toBe('a b(c)');
    expect(conflicts).toEqual([
      {
        page: 'c',
        field: 'position',
        base: 'at the top, after [b](/pages/b)',
        ours: 'in [a](/pages/a), first',
        theirs: 'in [b](/pages/b), first',
      },
    ]);
    const inOrder = merge(base, [page('c'), page('a'), page('b')], [page('a'), page('c'), page('b')]);
    expect([inOrder.tree, inOrder.conflicts.map(({ page: id, field }) => [id, field])]).toEqual([
      'a c b',
      [['c', 'position']],
    ]);
    expect(
      merge(base, [page('c'), page('a'), page('b')], [page('c'), page('a'), page('b')]).conflicts,
    ).toEqual([]);
  });

  it('in a list come from the side that moved the page, even if the other side moved its neighbours', () => {
    const list = (ids: string) => [...ids].map((id) => page(id));
    expect(merge(list('abcdef'), list('bcdefa'), list('abcedf'))).toMatchObject({
      tree: 'b c e d f a',
      conflicts: [],
    });
    expect(merge(list('aXbYc'), list('abYcX'), list('aXYbc'))).toMatchObject({
      tree: 'a Y b c X',
      conflicts: [],
    });
    expect(merge(list('abcd'), list('dabc'), list('dabc'))).toMatchObject({ tree: 'd a b c', conflicts: [] });
    expect(merge(list('abcd'), list('acd'), list('bdca'))).toMatchObject({ tree: 'd c a', conflicts: [] });
  });

  it('never form a cycle', () => {
    const base = [page('a'), page('b')];
    const two = merge(base, [page('b', [page('a')])], [page('a', [page('b')])]);
    expect([two.tree, two.conflicts.map(({ page: id, field }) => [id, field])]).toEqual([
      'a(b)',
      [['a', 'position']],
    ]);
    const three = [page('a'), page('b'), page('c')];
    expect(
      merge(three, [page('b', [page('a')]), page('c')], [page('a', [page('c', [page('b')])])]).tree,
    ).toBe('a(c(b))');
  });

  it('of groups are at the top, even when pages move out of them and into them', () => {
    const base = [page('g', [page('a')], { type: 'group' }), page('b')];
    const ours = [page('b'), page('g', [page('a')], { type: 'group' })];
    const theirs = [page('g', [page('b', [page('a')])], { type: 'group' })];
    expect(merge(base, ours, theirs).tree).toBe('g(b(a))');
  });
});

describe('a page that one side deleted', () => {
  const base = [page('a', [page('b', [page('c')]), page('d')]), page('e')];

  it('is removed when the other side left it alone', () => {
    expect(merge(base, [page('e')], [...base, page('f')])).toMatchObject({
      tree: 'e f',
      kept: [],
      conflicts: [],
    });
    expect(merge(base, [...base, page('f')], [page('e')])).toMatchObject({ tree: 'e f', kept: [] });
  });

  it('stays when the other side edited it, with the pages above it, but without its siblings', () => {
    const edited = [page('a', [page('b', [page('c', [], { title: 'C' })]), page('d')]), page('e')];
    expect(merge(base, [page('e')], edited)).toMatchObject({ tree: 'a(b(c)) e', kept: ['a', 'b', 'c'] });
    expect(merge(base, edited, [page('e')])).toMatchObject({ tree: 'a(b(c)) e', kept: ['a', 'b', 'c'] });
  });

  it('stays when the other side put a page below it', () => {
    const grown = [page('a', [page('b', [page('c')]), page('d', [page('x')])]), page('e')];
    for (const [ours, theirs] of [
      [[page('e')], grown],
      [grown, [page('e')]],
    ] as const) {
      expect(merge(base, [...ours], [...theirs])).toMatchObject({ tree: 'a(d(x)) e', kept: ['a', 'd'] });
    }
  });

  it('stays when the other side moved it', () => {
    const moved = [page('a', [page('d')]), page('e', [page('b', [page('c')])])];
    expect(merge(base, [page('e')], moved)).toMatchObject({ tree: 'e(b)', kept: ['b'] });
    expect(merge(base, moved, [page('e')])).toMatchObject({ tree: 'e(b)', kept: ['b'] });
  });

  it('is removed when the other side only reordered its siblings, or changed the path above it', () => {
    const list = [page('a'), page('b'), page('c')];
    expect(merge(list, [page('a'), page('c')], [page('b'), page('a'), page('c')])).toMatchObject({
      tree: 'a c',
      kept: [],
    });
    const renamed = [page('a', [page('b', [page('c')]), page('d')], { slug: 'new' }), page('e')];
    expect(merge(base, [page('a', [page('d')]), page('e')], renamed)).toMatchObject({
      tree: 'a(d) e',
      kept: [],
    });
  });
});

describe('slugs and paths', () => {
  it('come from ours on a collision; the page of theirs gets a number', () => {
    const base = [page('a')];
    const { pages } = merge(
      base,
      [page('a'), page('x', [], { slug: 'new' })],
      [page('a'), page('y', [page('z')], { slug: 'new' })],
    );
    expect(paths(pages)).toEqual(['a', 'new', 'new-1', 'new-1/z']);
  });

  it('get a number on a collision that results from preventing a cycle of moves', () => {
    const base = [page('a', [page('b')]), page('c')];
    const ours = [page('a', [page('b', [page('c', [], { slug: 'e' })])]), page('e')];
    const theirs = [page('c', [page('a', [page('b')])])];
    const { tree, pages } = merge(base, ours, theirs);
    expect([tree, paths(pages)]).toEqual(['e c(a(b))', ['e', 'e-1', 'e-1/a', 'e-1/a/b']]);
  });

  it('follow a new slug of the parent, also for pages that the other side put below it', () => {
    const base = [page('a', [page('b')]), page('c')];
    const { pages, tree } = merge(
      base,
      [page('a', [page('b'), page('c'), page('x')])],
      [page('a', [page('b')], { slug: 'new' }), page('c')],
    );
    expect([tree, paths(pages)]).toEqual(['a(b c x)', ['new', 'new/b', 'new/c', 'new/x']]);
  });

  it('follow the tree, wherever the file of a page is', () => {
    const imported = {
      ...page('b', [], { above: 'g' }),
      filePath: 'files/b',
      git: { oid: '1', path: 'files/b.md' },
    } as PageTree;
    const group = (...pages: PageTree[]) => ({ ...page('g', [], { type: 'group' }), pages }) as PageTree;
    const { pages } = merge(
      [group(imported)],
      [group(imported, page('x', [], { above: 'g' }))],
      [group({ ...imported, title: 'New' }), page('c')],
    );
    expect(paths(pages)).toEqual(['g', 'g/b', 'g/x', 'c']);
    expect(pages).toMatchObject([{ pages: [{ filePath: 'files/b' }, {}] }, {}]);
  });

  it('come from theirs when both sides changed a slug, and the conflict is reported', () => {
    const { pages, conflicts } = merge(
      [page('a')],
      [page('a', [], { slug: 'ours' })],
      [page('a', [], { slug: 'theirs' })],
    );
    expect(pages).toMatchObject([{ slug: 'theirs', path: 'theirs' }]);
    expect(conflicts).toEqual([{ page: 'a', field: 'slug', base: 'a', ours: 'ours', theirs: 'theirs' }]);
  });

  it('can be swapped', () => {
    const base = [page('a'), page('b')];
    const { pages } = merge(
      base,
      [...base, page('x')],
      [page('a', [], { slug: 'b' }), page('b', [], { slug: 'a' })],
    );
    expect(paths(pages)).toEqual(['b', 'a', 'x']);
  });
});

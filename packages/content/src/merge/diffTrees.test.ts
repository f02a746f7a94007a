import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryTree, pagesOf } from '../../../../test/support/memoryTree.ts';
import { firstSteps, laterSteps, takeSteps } from '../../../../test/support/randomTree.ts';
import type { PageTree } from '../store/items.ts';
import { diffTrees } from './diffTrees.ts';
import { longestIncreasing } from './longestIncreasing.ts';

const time = '2026-01-01T00:00:00.000Z';
const page = (id: string, pages: PageTree[] = [], fields: object = {}): PageTree =>
  ({
    type: 'document',
    id,
    title: id,
    slug: id,
    path: id,
    createdAt: time,
    updatedAt: time,
    ...fields,
    pages,
  }) as PageTree;
const diff = (before: PageTree[], after: PageTree[]) =>
  [...diffTrees(memoryTree(before), memoryTree(after)).values()].map((change) =>
    change.kind === 'changed'
      ? [change.id, ...change.fields, ...(change.moved ? [`moved ${change.moved}`] : [])]
      : [change.id, change.kind],
  );

it('finds inserted, deleted, changed and moved pages', () => {
  const before = [page('a', [page('b'), page('c', [page('d')])]), page('e'), page('f', [page('g')])];
  const after = [
    page('a', [page('c', [page('h')], { title: 'C' })]),
    page('b'),
    page('e', [], { description: 'x' }),
    page('g'),
  ];
  expect(diff(before, after)).toEqual([
    ['c', 'title'],
    ['h', 'created'],
    ['d', 'deleted'],
    ['b', 'moved parent'],
    ['e', 'description'],
    ['g', 'moved parent'],
    ['f', 'deleted'],
  ]);
});

it('reports as few siblings as possible as moved', () => {
  const list = (ids: string) => [...ids].map((id) => page(id));
  expect(diff(list('abcdef'), list('bcdefa'))).toEqual([['a', 'moved order']]);
  expect(diff(list('abcdef'), list('fabcde'))).toEqual([['f', 'moved order']]);
  expect(diff(list('abcdef'), list('axcedf'))).toHaveLength(3);
});

it('descends below a page that moved, and finds no change in pages that only moved along', () => {
  const before = [page('a', [page('b', [page('c'), page('d')])]), page('e')];
  expect(diff(before, [page('a'), page('e', [page('b', [page('c'), page('d')])])])).toEqual([
    ['b', 'moved parent'],
  ]);
  expect(diff(before, [page('e', [page('b', [page('d', [page('a')])])])])).toEqual([
    ['b', 'moved parent'],
    ['a', 'moved parent'],
    ['c', 'deleted'],
  ]);
});

it('reports all pages as new when there were none before', () => {
  const after = memoryTree([page('a', [page('b')])]);
  expect([...diffTrees(undefined, after).values()].map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'created'],
    ['b', 'created'],
  ]);
});

it('is empty for equal trees, and reversed when the trees are exchanged', () => {
  fc.assert(
    fc.property(firstSteps, laterSteps, (made, done) => {
      const edit = memoryTree([]).edit();
      takeSteps(edit, made, 'base');
      const before = memoryTree(pagesOf(edit));
      const changed = before.edit();
      takeSteps(changed, done, 'side');
      const after = memoryTree(pagesOf(changed));
      expect(diffTrees(before, before).size).toBe(0);
      const [there, back] = [diffTrees(before, after), diffTrees(after, before)];
      const opposite = { created: 'deleted', deleted: 'created', changed: 'changed' };
      // Several choices of moved siblings are right.
      const told = (all: typeof there) =>
        [...all.values()].filter(
          (change) => change.kind !== 'changed' || change.fields.size > 0 || change.moved === 'parent',
        );
      expect(
        told(back)
          .map(({ id, kind }) => `${id} ${kind}`)
          .toSorted(),
      ).toEqual(
        told(there)
          .map(({ id, kind }) => `${id} ${opposite[kind]}`)
          .toSorted(),
      );
    }),
    { numRuns: 300 },
  );
});

it('finds a longest increasing subsequence', () => {
  expect(longestIncreasing([3, 0, 1, 4, 2]).size).toBe(3);
  expect(longestIncreasing([]).size).toBe(0);
  expect(longestIncreasing([0, 1, 2])).toEqual(new Set([0, 1, 2]));
  expect(longestIncreasing([2, 1, 0]).size).toBe(1);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryTree, pagesOf, rootOf } from '../../../../test/support/memoryTree.ts';
import { firstSteps, laterSteps, takeSteps, type TreeStep } from '../../../../test/support/randomTree.ts';
import type { PageTree } from '../store/items.ts';
import type { ContentTree } from '../tree/contentTree.ts';
import { diffTrees } from './diffTrees.ts';
import { mergeTrees } from './mergeTrees.ts';

const after = (tree: ContentTree, taken: readonly TreeStep[], side: string) => {
  const edit = tree.edit();
  takeSteps(edit, taken, side);
  return memoryTree(pagesOf(edit));
};
const states = fc.tuple(firstSteps, laterSteps, laterSteps).map(([made, byOurs, byTheirs]) => {
  const base = after(memoryTree([]), made, 'base');
  return { base, ours: after(base, byOurs, 'ours'), theirs: after(base, byTheirs, 'theirs') };
});
const ids = (tree: Pick<ContentTree, 'all'>) => [...tree.all()].map(({ page }) => page.id);
const all = (pages: readonly PageTree[]): PageTree[] =>
  pages.flatMap((page) => ('pages' in page ? [page, ...all(page.pages)] : [page]));

describe('the merged changes of two sides', () => {
  it('are those of one side when the other did nothing', () => {
    fc.assert(
      fc.property(states, ({ base, theirs }) => {
        expect(rootOf(pagesOf(mergeTrees({ base, ours: base, theirs }).edit))).toBe(theirs.root);
        expect(rootOf(pagesOf(mergeTrees({ base, ours: theirs, theirs: base }).edit))).toBe(theirs.root);
        expect(rootOf(pagesOf(mergeTrees({ base, ours: theirs, theirs }).edit))).toBe(theirs.root);
      }),
      { numRuns: 400 },
    );
  });

  it('form a tree', () => {
    fc.assert(
      fc.property(states, ({ base, ours, theirs }) => {
        const pages = pagesOf(mergeTrees({ base, ours, theirs }).edit);
        const found = all(pages);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        const paths = found.flatMap((page) => ('path' in page ? [page.path] : []));
        expect(paths.toSorted()).toEqual([...new Set(paths)].toSorted());
        for (const siblings of [pages, ...found.map((page) => ('pages' in page ? page.pages : []))]) {
          const slugs = siblings.flatMap((page) => ('slug' in page ? [page.slug] : []));
          expect(new Set(slugs).size).toBe(slugs.length);
          if (siblings !== pages) expect(siblings.map(({ type }) => type)).not.toContain('group');
        }
      }),
      { numRuns: 400 },
    );
  });

  it('include every page that one side made or changed and neither removed', () => {
    fc.assert(
      fc.property(states, ({ base, ours, theirs }) => {
        const merged = new Set(ids(mergeTrees({ base, ours, theirs }).edit));
        const before = new Set(ids(base));
        for (const [side, other] of [
          [ours, theirs],
          [theirs, ours],
        ] as const) {
          for (const [id, change] of diffTrees(base, side)) {
            const isEdited =
              change.kind === 'changed' && [...change.fields].some((field) => field !== 'path');
            if (change.kind === 'created' || isEdited) expect([id, merged.has(id)]).toEqual([id, true]);
          }
          for (const id of ids(side))
            if (!before.has(id) || other.page(id)) expect([id, merged.has(id)]).toEqual([id, true]);
        }
        for (const id of merged) expect(ours.page(id) ?? theirs.page(id)).toBeDefined();
      }),
      { numRuns: 400 },
    );
  });

  it('include every field that only one side changed', () => {
    fc.assert(
      fc.property(states, ({ base, ours, theirs }) => {
        const { edit, conflicts } = mergeTrees({ base, ours, theirs });
        const [byOurs, byTheirs] = [diffTrees(base, ours), diffTrees(base, theirs)];
        for (const [diff, other] of [
          [byOurs, byTheirs],
          [byTheirs, byOurs],
        ] as const) {
          for (const change of diff.values()) {
            if (change.kind !== 'changed') continue;
            const against = other.get(change.id);
            const now = edit.page(change.id);
            for (const field of ['title', 'document', 'description'] as const) {
              if (!change.fields.has(field) || (against?.kind === 'changed' && against.fields.has(field)))
                continue;
              expect((now?.page as Record<string, unknown> | undefined)?.[field]).toBe(
                (change.after.page as Record<string, unknown>)[field],
              );
            }
            const isContested = conflicts.some(
              ({ page, field }) => page === change.id && field === 'position',
            );
            const isMoved =
              change.moved === 'parent' && !(against?.kind === 'changed' && against.moved === 'parent');
            if (isMoved && !isContested) expect(now?.parent?.id).toBe(change.after.parent?.id);
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

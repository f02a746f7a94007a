import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryTree, pagesOf, rootOf } from '../../../../test/support/memoryTree.ts';
import { firstSteps, laterSteps, takeSteps, type TreeStep } from '../../../../test/support/randomTree.ts';
import type { PageTree } from '../store/items.ts';
import type { ChooseSide, Side } from './conflict/choices.ts';
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

/** Chooses a side for each conflict, or none, by the order of its choices. */
const chooser = (choices: readonly (Side | undefined)[]): ChooseSide => {
  const known = new Map<string, Side | undefined>();
  return ({ page }, part) => {
    const key = `${page} ${part}`;
    if (!known.has(key)) known.set(key, choices[known.size % choices.length]);
    return known.get(key);
  };
};
const choices = fc.array(fc.constantFrom<Side | undefined>('ours', 'theirs', undefined), {
  minLength: 1,
  maxLength: 9,
});

describe('the merged changes of two sides', () => {
  it('are the changes of one side when the other changed nothing', () => {
    fc.assert(
      fc.property(states, ({ base, theirs }) => {
        expect(rootOf(pagesOf(mergeTrees({ base, ours: base, theirs }).edit))).toBe(theirs.root);
        expect(rootOf(pagesOf(mergeTrees({ base, ours: theirs, theirs: base }).edit))).toBe(theirs.root);
        expect(rootOf(pagesOf(mergeTrees({ base, ours: theirs, theirs }).edit))).toBe(theirs.root);
      }),
      { numRuns: 400 },
    );
  });

  it('form a tree, whichever sides are chosen for the conflicts', () => {
    fc.assert(
      fc.property(states, choices, ({ base, ours, theirs }, chosen) => {
        const pages = pagesOf(mergeTrees({ base, ours, theirs }, chooser(chosen)).edit);
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

  it('have the same conflicts for any choices, and the chosen side at each', () => {
    fc.assert(
      fc.property(states, choices, ({ base, ours, theirs }, chosen) => {
        const byRules = mergeTrees({ base, ours, theirs });
        const choose = chooser(chosen);
        const merged = mergeTrees({ base, ours, theirs }, choose);
        expect(merged.conflicts).toEqual(byRules.conflicts);
        expect(merged.kept.map(({ id }) => id)).toEqual(byRules.kept.map(({ id }) => id));
        const found = new Map(all(pagesOf(merged.edit)).map((page) => [page.id, page]));
        for (const { id, ours: our, theirs: their } of byRules.kept) {
          const side = choose({ page: id }, 'deleted');
          const version = side ? { ours: our, theirs: their }[side] : (their ?? our);
          // Pages above others that were chosen may have come back.
          if (version) expect([id, found.get(id)?.type]).toEqual([id, version.type]);
          else expect(found.has(id)).toBe(false);
        }
        for (const { page = '', field, ours: our, theirs: their } of byRules.conflicts) {
          const side = choose({ page }, field);
          if (field === 'title') expect(found.get(page)?.title).toBe(side === 'ours' ? our : their);
        }
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

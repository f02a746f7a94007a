import { freeSlug, repath, type PageItem, type PageTree, type TreeEdit } from '@bindery/content';
import fc from 'fast-check';

/** One edit of a tree. Numbers choose among the existing items; impossible edits are skipped. */
export type TreeStep =
  | { kind: 'title' | 'document' | 'description'; page: number; text: string }
  | { kind: 'slug'; page: number; slug: string }
  | { kind: 'move'; page: number; into: number; at: number }
  | { kind: 'create'; into: number; at: number; title: string; isGroup: boolean }
  | { kind: 'delete'; page: number };

const number = fc.nat({ max: 30 });
const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

const createStep: fc.Arbitrary<TreeStep> = fc.record({
  kind: fc.constant('create'),
  into: number,
  at: number,
  title: word,
  isGroup: fc.nat({ max: 5 }).map((chance) => chance === 0),
});

const anyStep: fc.Arbitrary<TreeStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('title', 'document', 'description'),
      page: number,
      text: word,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slug'), page: number, slug: word }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move'), page: number, into: number, at: number }) },
  { weight: 2, arbitrary: createStep },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), page: number }) },
);

/** The edits that build a tree of up to 14 pages. */
export const firstSteps = fc.array(createStep, { minLength: 3, maxLength: 14, size: 'max' });

/** Later edits of the tree. */
export const laterSteps = fc.array(anyStep, { maxLength: 8, size: 'max' });

const time = '2026-01-01T00:00:00.000Z';
const document = (id: string, title: string, slug: string): PageTree => ({
  ...{
    type: 'document',
    id,
    title,
    slug,
    path: slug,
    document: `text of ${id}`,
    createdAt: time,
    updatedAt: time,
    pages: [],
  },
});

/** Applies the edits in order. @param side  part of the ids of new pages */
export function takeSteps(edit: TreeEdit, steps: readonly TreeStep[], side: string): void {
  for (const [index, step] of steps.entries()) takeStep(edit, step, `${side}${index}`);
}

function takeStep(edit: TreeEdit, step: TreeStep, name: string): void {
  const all = [...edit.all()];
  const pick = (place: number) => all[place % Math.max(1, all.length)];
  const set = (id: string, fields: Partial<PageItem>) =>
    edit.update(id, (page) => ({ ...page, ...fields }) as PageItem);
  if (step.kind === 'create') {
    const above = pick(step.into);
    const into =
      above && above.page.type !== 'link' && !step.isGroup && step.into % 3 > 0 ? above.page.id : null;
    const slug = freeSlug(edit, step.title, { into });
    const page = document(name, step.title, slug);
    const { document: _, ...group } = { ...page, type: 'group' } as PageTree & { document?: string };
    edit.insert(step.isGroup ? (group as PageTree) : page, {
      into,
      at: step.at % (edit.list(into).length + 1),
    });
    return repath(edit, name);
  }
  const found = pick(step.page);
  if (!found) return;
  const { id, type } = found.page;
  if (step.kind === 'delete') return edit.remove(id);
  if (step.kind === 'move') {
    const above = pick(step.into);
    const isInside = above && [above.page, ...above.ancestors].some((page) => page.id === id);
    const into = !above || isInside || type === 'group' || step.into % 4 === 0 ? null : above.page.id;
    edit.move(id, { into, at: step.at % (edit.list(into).filter((page) => page.id !== id).length + 1) });
    const moved = edit.page(id)?.page;
    if (moved && 'slug' in moved) set(id, { slug: freeSlug(edit, moved.slug, { into, except: id }) });
    return repath(edit, id);
  }
  if (step.kind === 'slug') {
    set(id, { slug: freeSlug(edit, step.slug, { into: found.parent?.id ?? null, except: id }) });
    return repath(edit, id);
  }
  if (step.kind === 'title') return set(id, { title: `${step.text} ${name}` });
  if (type === 'document') set(id, { [step.kind]: `${step.text} ${name}` });
}

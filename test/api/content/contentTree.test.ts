import { openTree, prepareRevision, repath, type LocatedPage, type PageTree } from '@bindery/content';
import { newId } from '@bindery/runtime';
import { ContentNode } from '@bindery/models';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/apiServer.ts';

// The tree that is stored in nodes, against a plain one that is changed in the same way.

let api: TestApi;
beforeAll(async () => (api = await startApi()));
afterAll(() => api.close());

type Model = { id: string; title: string; pages: Model[] };

const time = '2026-01-01T00:00:00.000Z';
const organization = newId();

function pageOf({ id, title, pages }: Model): PageTree {
  return {
    type: 'document',
    id,
    title,
    slug: id,
    path: id,
    createdAt: time,
    updatedAt: time,
    pages: pages.map(pageOf),
  };
}

async function store(pages: PageTree[]): Promise<string> {
  const content = { pages, files: [], reusableContents: [], variables: [], redirects: [] };
  const { revision } = await prepareRevision({
    organization,
    space: newId(),
    parents: [],
    type: 'edits',
    createdBy: 'u',
    content,
  });
  return revision.pages;
}

/** Ids and titles with their places, in the order of the navigation. */
function linesOf(pages: readonly Model[], depth = 0): string[] {
  return pages.flatMap(({ id, title, pages: below }) => [
    `${' '.repeat(depth)}${id} ${title}`,
    ...linesOf(below, depth + 1),
  ]);
}
const linesOfTree = (all: Iterable<LocatedPage>) =>
  [...all].map(({ page, ancestors }) => `${' '.repeat(ancestors.length)}${page.id} ${page.title}`);

const listsOf = (pages: Model[]): Model[][] => [pages, ...pages.flatMap((page) => listsOf(page.pages))];
const everyPage = (pages: Model[]): Model[] => pages.flatMap((page) => [page, ...everyPage(page.pages)]);

const step = fc.record({
  kind: fc.constantFrom('insert', 'update', 'move', 'remove'),
  page: fc.nat(),
  into: fc.nat(),
  at: fc.option(fc.nat(), { nil: undefined }),
});

describe('a content tree', () => {
  it('matches a plain tree after random changes, also when it is stored and read in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }), async (batches) => {
        const model: Model[] = [];
        let root = await store([]);
        for (const batch of batches) {
          const edit = (await openTree(organization, root)).edit();
          for (const { kind, page, into, at } of batch) {
            const pages = everyPage(model);
            const chosen = pages[page % Math.max(1, pages.length)];
            const holders = [null, ...pages].filter(
              (holder) => !chosen || holder === null || !everyPage([chosen]).includes(holder),
            );
            const parent = holders[into % holders.length] ?? null;
            const list = parent === null ? model : parent.pages;
            if (kind === 'insert') {
              const added: Model = {
                id: newId(),
                title: 'new',
                pages: [{ id: newId(), title: 'below', pages: [] }],
              };
              const index = at === undefined ? undefined : at % (list.length + 1);
              edit.insert(pageOf(added), { into: parent?.id ?? null, at: index });
              list.splice(index ?? list.length, 0, added);
            } else if (chosen) {
              const home = listsOf(model).find((pagesOfList) => pagesOfList.includes(chosen)) as Model[];
              if (kind === 'update') {
                chosen.title += '!';
                edit.update(chosen.id, (item) => ({ ...item, title: `${item.title}!` }));
              } else {
                home.splice(home.indexOf(chosen), 1);
                if (kind === 'remove') edit.remove(chosen.id);
                else {
                  const index = at === undefined ? undefined : at % (list.length + 1);
                  edit.move(chosen.id, { into: parent?.id ?? null, at: index });
                  list.splice(index ?? list.length, 0, chosen);
                }
              }
            }
            expect(linesOfTree(edit.all())).toEqual(linesOf(model));
            for (const { id } of everyPage(model)) expect(edit.page(id)?.page.id).toBe(id);
          }
          ({ root } = await edit.write());
          const tree = await openTree(organization, root);
          expect(linesOfTree(tree.all())).toEqual(linesOf(model));
          expect(root).toBe(await store(model.map((page) => tree.subtree(page.id) as PageTree)));
          for (const { id, pages } of everyPage(model)) {
            expect(tree.page(id)?.page).toMatchObject({ id });
            expect(tree.list(id).map((page) => page.id)).toEqual(pages.map((page) => page.id));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('writes only the nodes from the root to the changed page', async () => {
    const wide = (prefix: string, count: number, pages: (id: string) => Model[]): Model[] =>
      Array.from({ length: count }, (_, index) => ({
        id: `${prefix}x${index}`,
        title: 'page',
        pages: pages(`${prefix}x${index}`),
      }));
    const model = wide('p', 30, (id) => wide(id, 30, () => []));
    const tree = await openTree(organization, await store(model.map(pageOf)));
    const before = await ContentNode.countDocuments();
    const edit = tree.edit();
    edit.update('px7x9', (item) => ({ ...item, title: 'changed' }));
    expect((await edit.write()).nodesWritten).toBe(2);
    expect(await ContentNode.countDocuments()).toBe(before + 2);
    const again = tree.edit();
    again.update('px7x9', (item) => item);
    expect(await again.write()).toEqual({ root: tree.root, nodesWritten: 0 });
  });

  it('gives moved pages the paths of their new parent', async () => {
    const page = (id: string, path: string, pages: PageTree[] = []): PageTree =>
      ({ ...pageOf({ id, title: id, pages: [] }), path, pages }) as PageTree;
    const tree = await openTree(
      organization,
      await store([page('a', 'docs/A', [page('b', 'docs/B')]), page('c', 'c')]),
    );
    const edit = tree.edit();
    edit.move('a', { into: 'c' });
    repath(edit, 'a');
    expect([...edit.all()].map((located) => 'path' in located.page && located.page.path)).toEqual([
      'c',
      'c/a',
      'c/a/b',
    ]);
    expect(edit.pageAtPath('c/a/b')?.ancestors.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(edit.pageAtPath('')?.page.id).toBe('c');
  });
});

import { findDocument, loadTree, type PageTree } from '@bindery/content';
import { expect } from 'vitest';
import { scanPage } from '../../../packages/dialect/src/repository-format/scanPage.ts';
import { itEditing as it, type Editing } from '../../support/content/editing.ts';
import { seededRandom } from '../../support/seededRandom.ts';

// Any changes in any order: some are refused, and whatever is applied leaves a tree in which everything is in
// its place.

type Random = ReturnType<typeof seededRandom>;

const titles = ['Intro', 'Setup', 'A *b* [c]', 'Über uns', '目次', '# 1', '---', 'x: y'];
const bodies = [
  'Text\n',
  '# Heading `x`\n\nText [a](/pages/intro) [b](./setup.md)\n',
  '',
  '---\nicon: star\nother: 1\n---\nText\n',
  '{% hint %}\nx\n',
];

/** @param present  pages that are there; `known` is every page that ever was */
function someChange(
  random: Random,
  { present, known }: { present: readonly string[]; known: readonly string[] },
): object {
  const page = () => random.pick(random.chance(0.9) ? present : [...known, 'nothing']);
  const metadata = {
    ...(random.chance(0.5) && { title: random.pick(titles) }),
    ...(random.chance(0.2) && { slug: random.pick(['', 'intro', 'A b', 'über']) }),
    ...(random.chance(0.2) && { description: random.pick(['', 'Words', 'a: "b"\n# c']) }),
    ...(random.chance(0.2) && { icon: random.pick(['', 'gear']) }),
    ...(random.chance(0.2) && { hidden: random.chance(0.5) }),
    ...(random.chance(0.1) && { condition: random.pick(['', 'visitor.claims.a == 1']) }),
    ...(random.chance(0.5) && { document: { markdown: random.pick(bodies) } }),
    ...(random.chance(0.3) && { into: random.chance(0.3) ? null : page() }),
    ...(random.chance(0.3) && { at: random.pick([0, 1, 5]) }),
  };
  const operation = random.pick([
    'insert_page',
    'insert_page',
    'insert_page',
    'update_page',
    'update_page',
    'update_page',
    'delete_page',
    'revert_page',
  ]);
  if (operation === 'insert_page') return { operation, document: {}, ...metadata };
  if (operation === 'update_page') return { operation, page: page(), ...metadata };
  return { operation, page: page() };
}

async function expectOrder(editing: Editing): Promise<string[]> {
  const { organization, pages: root } = await editing.revision();
  const ids: string[] = [];
  const paths: string[] = [];
  const visit = async (pages: readonly PageTree[], above: string, level: number): Promise<void> => {
    const slugs = pages.flatMap((page) => ('slug' in page ? [page.slug] : []));
    expect(new Set(slugs).size, `slugs ${slugs.join(' ')}`).toBe(slugs.length);
    for (const page of pages) {
      ids.push(page.id);
      if (!('pages' in page)) continue;
      if (page.type === 'group') expect(level).toBe(0);
      expect(page.path).toBe(above === '' ? page.slug : `${above}/${page.slug}`);
      paths.push(page.path);
      if (page.type === 'document' && page.document !== undefined) {
        const source = await findDocument(organization, page.document);
        expect(source, 'what a page names is stored').toBeDefined();
        const { h1, frontmatter = {} } = scanPage(
          Buffer.concat([source?.frontmatter ?? Buffer.of(), source?.body ?? Buffer.of()]),
        );
        const { title, description, icon, hidden, condition } = page;
        expect({
          title: h1,
          description: frontmatter.description,
          icon: frontmatter.icon,
          hidden: frontmatter.hidden || undefined,
          condition: frontmatter.condition,
        }).toEqual({ title, description, icon, hidden, condition });
      }
      await visit(page.pages, page.path, level + 1);
    }
  };
  await visit(await loadTree(organization, root), '', 0);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(paths).size, `paths ${paths.join(' ')}`).toBe(paths.length);
  return ids;
}

it.for([1, 2, 3])(
  'random batches leave a valid page tree or are refused as a whole, seed %i',
  { timeout: 120_000 },
  async (seed, { open }) => {
    const random = seededRandom(seed);
    const editing = await open({
      pages: [
        {
          id: 'first',
          title: 'First',
          source: '# First\n',
          pages: [
            { id: 'below', title: 'Below', path: 'first/below', source: '---\ntags: [a]\n---\n# Below\n' },
          ],
        },
        {
          id: 'group',
          type: 'group',
          title: 'Group',
          pages: [{ id: 'member', title: 'Member', path: 'group/member' }],
        },
        { id: 'link', type: 'link', title: 'Link', target: { kind: 'url', url: 'https://example.org/' } },
      ],
    });
    let present = await expectOrder(editing);
    const known = new Set(present);
    let applied = 0;
    for (let round = 0; round < 40; round += 1) {
      const changes = Array.from({ length: 1 + random.below(5) }, () =>
        someChange(random, { present, known: [...known] }),
      );
      const before = (await editing.record()).revision;
      const { status, body } = await editing.send(changes);
      expect([200, 400], JSON.stringify([changes, body])).toContain(status);
      if (status === 400) {
        expect((await editing.record()).revision).toBe(before);
        continue;
      }
      applied += 1;
      present = await expectOrder(editing);
      for (const id of present) known.add(id);
      for (const change of body.changes) {
        if (change.object === 'deleted_page') expect(present).not.toContain(change.page);
        else expect(present).toContain(change.page.id);
      }
    }
    expect(applied).toBeGreaterThan(15);
  },
);

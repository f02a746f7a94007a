import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folderOf } from '@bindery/dialect/repository-format';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { exportLab } from '../../../../test/support/exportLab.ts';
import { buildRepository, repositorySpecs } from '../../../../test/support/randomRepositories.ts';
import { looseTree } from '../changes/looseTree.ts';
import { relativePath } from '../references/targetOf.ts';
import type { PageTree } from '../store/items.ts';
import { editedTexts } from './editedTexts.ts';
import { planTexts } from './planTexts.ts';
import type { ExportedContent, ExportPlan } from './types.ts';

// Random repositories are imported, texts of their pages edited, and exported in both ways.

type Edit = { page: number; other: number; hasHeading: boolean; linksById: boolean };

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    page: fc.nat({ max: 40 }),
    other: fc.nat({ max: 40 }),
    hasHeading: fc.boolean(),
    linksById: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

const chosen = {
  numRuns: Number(process.env['EXPORT_RUNS'] ?? 80),
  seed: Number(process.env['EXPORT_SEED'] ?? 1),
};

it('plans edits of texts alone exactly as it does with the whole content', { timeout: 600_000 }, async () => {
  let planned = 0;
  await fc.assert(
    fc.asyncProperty(repositorySpecs, edits, async (spec, all) => {
      const lab = exportLab({ projectDirectory: spec.project });
      const files = buildRepository(spec);
      const synced = await lab.read(files);
      const content = all.reduce((before, edit) => withText(before, edit, lab), synced);
      const edited = editedTexts(looseTree('synced', synced.pages), looseTree('now', content.pages));
      const documents = async (hashes: readonly string[]) =>
        new Map(hashes.map((hash) => [hash, lab.documents.get(hash) as PageSource]));
      const plan = edited && (await planTexts(edited, { documents }));
      if (!plan || plan.changes.length === 0) return;
      planned += 1;
      const whole = await lab.plan(content, files, synced, { isInSync: true });
      expect(filesOf(plan)).toEqual(filesOf(whole));
      expect(whole.rewritten).toEqual(new Map());
      const places = new Map(flat(synced.pages).flatMap(({ id, git }) => (git ? [[id, git] as const] : [])));
      expect(new Map([...places, ...plan.pages])).toEqual(whole.pages);
    }),
    chosen,
  );
  expect(planned).toBeGreaterThan(10);
});

/** The whole plan copies bytes that the repository has; the other one does not know them. */
function filesOf({ changes }: ExportPlan): (readonly [path: string, oid: string | undefined])[] {
  return changes.map((change) => [change.path, change.kind === 'remove' ? undefined : change.oid]);
}

type FilePage = Extract<PageTree, { type: 'document' }>;

function withText(
  content: ExportedContent,
  { page, other, hasHeading, linksById }: Edit,
  lab: ReturnType<typeof exportLab>,
): ExportedContent {
  const all = flat(content.pages).filter(({ document, git }) => document !== undefined && git);
  const [from, to] = [all[page % Math.max(1, all.length)], all[other % Math.max(1, all.length)]];
  if (!from?.git || !to?.git) return content;
  const target = linksById ? `/pages/${to.id}` : relativePath(folderOf(from.git.path), to.git.path);
  const heading = hasHeading ? `# ${from.title}\n\n` : '';
  const text = `${heading}Of ${page}: [a](${target}), ![](nowhere.png).\n`;
  const document = lab.keepDocument(Buffer.from(text));
  const edited = (pages: readonly PageTree[]): PageTree[] =>
    pages.map((each) => {
      if (!('pages' in each)) return each;
      const kept = { ...each, pages: edited(each.pages) };
      return kept.type === 'document' && kept.id === from.id ? { ...kept, document } : kept;
    });
  return { ...content, pages: edited(content.pages) };
}

function flat(pages: readonly PageTree[]): FilePage[] {
  return pages.flatMap((page) => [
    ...(page.type === 'document' ? [page] : []),
    ...('pages' in page ? flat(page.pages) : []),
  ]);
}

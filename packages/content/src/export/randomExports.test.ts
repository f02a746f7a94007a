import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editInMemory } from '../../../../test/support/editInMemory.ts';
import { exportLab, type Repository } from '../../../../test/support/exportLab.ts';
import { buildRepository, repositorySpecs } from '../../../../test/support/randomRepositories.ts';
import { folderOf } from '@bindery/dialect/repository-format';
import { relativePath } from '../references/targetOf.ts';
import type { ContentReference } from '@bindery/dialect/links';
import type { PageTree } from '../store/items.ts';
import type { ExportedContent } from './types.ts';

// Random repositories are imported, edited as the API edits, exported, and imported again.

type Step = {
  kind: 'insert' | 'text' | 'title' | 'move' | 'delete' | 'slug' | 'file' | 'description' | 'cover';
  page: number;
  other: number;
  at: number;
  word: string;
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'insert',
      'insert',
      'text',
      'title',
      'move',
      'move',
      'delete',
      'slug',
      'file',
      'description',
      'cover',
    ),
    page: fc.nat({ max: 40 }),
    other: fc.nat({ max: 40 }),
    at: fc.nat({ max: 5 }),
    word: fc.constantFrom('a', 'B c', 'ü', 'Page 1', 'summary', 'README', 'Short', 'License', 'e_f'),
  }),
  { maxLength: 6, size: 'max' },
);

// A fixed seed by default; set EXPORT_SEED and EXPORT_RUNS to search further.
const chosen = {
  numRuns: Number(process.env['EXPORT_RUNS'] ?? 80),
  seed: Number(process.env['EXPORT_SEED'] ?? 1),
};

it(
  'writes nothing without changes, and writes edits so that they are read back',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(repositorySpecs, steps, async (spec, edits) => {
        const lab = exportLab({ projectDirectory: spec.project });
        const files: Repository = buildRepository(spec);
        const synced = await lab.read(files);
        expect((await lab.plan(synced, files)).changes, 'unedited').toEqual([]);
        expect((await lab.plan(synced, files, synced)).changes, 'unedited and synced').toEqual([]);

        let content: ExportedContent = synced;
        for (const step of edits) content = await take(content, step, lab);
        for (const known of [synced, undefined]) {
          const plan = await lab.plan(content, files, known);
          expect(await lab.plan(content, files, known, { isInSync: true }), 'in sync').toEqual(plan);
          const after = lab.apply(plan, files);
          for (const path of ['LICENSE']) expect(after.get(path)).toEqual(files.get(path));
          const next = lab.settle(content, plan);
          expect(meanings(next, lab), 'meanings').toEqual(meanings(content, lab));
          const read = await lab.read(after, next);
          expect(outlineOf(read, lab), known ? 'synced' : 'not synced').toEqual(outlineOf(next, lab));
          expect((await lab.plan(next, after, next)).changes, 'second').toEqual([]);
          expect((await lab.plan(next, after)).changes, 'second, not synced').toEqual([]);
          expect((await lab.plan(read, after)).changes, 'read back').toEqual([]);
        }
      }),
      chosen,
    );
  },
);

it('exports the content to a branch with foreign commits', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      repositorySpecs,
      steps,
      fc.array(fc.nat({ max: 60 }), { maxLength: 5 }),
      async (spec, edits, others) => {
        const lab = exportLab({ projectDirectory: spec.project });
        const files = buildRepository(spec);
        const synced = await lab.read(files);
        let content: ExportedContent = synced;
        for (const step of edits) content = await take(content, step, lab);
        const head = writtenByOthers(files, others);
        const plan = await lab.plan(content, head, synced);
        const after = lab.apply(plan, head);
        const next = lab.settle(content, plan);
        expect(outlineOf(await lab.read(after, next), lab)).toEqual(outlineOf(next, lab));
        expect((await lab.plan(next, after, next)).changes).toEqual([]);
      },
    ),
    chosen,
  );
});

function writtenByOthers(files: Repository, choices: readonly number[]): Repository {
  const head = new Map(files);
  for (const choice of choices) {
    const path = [...head.keys()][choice % head.size] as string;
    // Foreign files there become content of the space with the next import.
    if (path.endsWith('.yaml') || path.includes('.gitbook/')) continue;
    const folder = folderOf(path);
    const name = folder === '' ? `x${choice}.md` : `${folder}/x${choice}.md`;
    if (choice % 3 === 0) head.delete(path);
    else if (choice % 3 === 1)
      head.set(
        path,
        Buffer.concat([head.get(path) as Uint8Array, Buffer.from(`\n* [More](x${choice}.md)\n`)]),
      );
    else head.set(name, Buffer.from('# Of somebody else\n'));
  }
  return head;
}

async function take(
  content: ExportedContent,
  step: Step,
  lab: ReturnType<typeof exportLab>,
): Promise<ExportedContent> {
  const all = flat(content.pages);
  const page = all[step.page % Math.max(1, all.length)];
  const other = all[step.other % Math.max(1, all.length)];
  const file = content.files[step.other % Math.max(1, content.files.length)];
  const places = [page, other].flatMap((each) =>
    each?.type === 'document' && each.git ? [each.git.path] : [],
  );
  const relative =
    places.length === 2 && step.kind === 'text'
      ? relativePath(folderOf(places[0] as string), places[1] as string)
      : 'nowhere.md';
  const markdown = [
    `New text ${step.word}.`,
    ...(other ? [`[a](/pages/${other.id}) and [b](/pages/${other.id}#part) and [c](${relative})`] : []),
    ...(file ? [`![](/files/${file.id})`] : []),
    '[gone](/pages/aaaaaaaaaaaaaaaaaaaa) [same](#part)',
  ].join('\n\n');
  const into =
    step.at === 0 || !other || (other.type !== 'document' && other.type !== 'group') ? null : other.id;
  const edit = (change: Parameters<typeof editInMemory>[1]) => editInMemory(content, change, lab.documents);
  switch (step.kind) {
    case 'file':
      return edit({
        operation: 'new_file',
        file: {
          name: `${step.word}.png`,
          blob: lab.keepBlob(Uint8Array.of(step.page)),
          sizeBytes: 1,
          contentType: 'image/png',
        },
      });
    case 'insert':
      return edit({ operation: 'insert_page', title: step.word, into, at: step.at, document: { markdown } });
    case 'move':
      return page ? edit({ operation: 'update_page', page: page.id, into, at: step.at }) : content;
    case 'delete':
      return page ? edit({ operation: 'delete_page', page: page.id }) : content;
    case 'text':
      return page ? edit({ operation: 'update_page', page: page.id, document: { markdown } }) : content;
    case 'cover':
      return page && file
        ? edit({
            operation: 'update_page',
            page: page.id,
            document: { markdown: `---\ncover: /files/${file.id}\n---\n\nCovered.` },
          })
        : content;
    case 'title':
      return page ? edit({ operation: 'update_page', page: page.id, title: `${step.word} new` }) : content;
    case 'slug':
      // A page without a file has no slug that a repository could store.
      return page?.type === 'document' && page.document
        ? edit({ operation: 'update_page', page: page.id, slug: step.word })
        : content;
    case 'description':
      return page
        ? edit({ operation: 'update_page', page: page.id, description: `About ${step.word}` })
        : content;
  }
}

function flat(pages: readonly PageTree[]): PageTree[] {
  return pages.flatMap((page) => [page, ...('pages' in page ? flat(page.pages) : [])]);
}

function meanings(content: ExportedContent, lab: ReturnType<typeof exportLab>): unknown {
  return flat(content.pages).map((page) => [page.id, lab.meaningOf(content, { page })]);
}

/**
 * All content that a repository can store. The paths of groups and of pages without a file follow from their
 * titles there.
 */
function outlineOf(content: ExportedContent, lab: ReturnType<typeof exportLab>): unknown {
  const withFile = new Set(
    flat(content.pages).flatMap((page) => (page.type === 'document' && page.document ? [page.id] : [])),
  );
  const targetOf = (ref: ContentReference) => {
    if (ref.kind !== 'page' && ref.kind !== 'anchor') return ref;
    // In a repository, a link to a page without a file or to a missing page is a URL.
    return ref.page !== undefined && withFile.has(ref.page) ? ref : { kind: 'url' };
  };
  const outline = (page: PageTree): unknown => {
    const { title, type } = page;
    if (type === 'link') {
      const target = targetOf(page.target);
      return {
        type,
        title,
        linkTitle: page.linkTitle,
        target:
          target.kind === 'url' && /^\/(?:broken|pages)/.test('url' in target ? target.url : '/pages')
            ? 'nowhere'
            : target,
      };
    }
    // A repository names a computed page by its source.
    if (type === 'computed') return { type, computed: page.computed };
    const pages = page.pages.map(outline);
    if (type === 'group' || !page.document) return { type, title, pages };
    const { pages: _, createdAt, updatedAt, git, document, slug, filePath, oldPaths, ...fields } = page;
    // The path of a page's file elsewhere is known only by reading it.
    void [createdAt, updatedAt, document, slug, filePath, oldPaths];
    // File names never contain two hyphens in a row, as numbered imported paths may; of two groups with the
    // same title, the order decides which has a number.
    return {
      ...fields,
      path: page.path.replaceAll(/-+/g, '-').replaceAll(/-\d+(?=\/)/g, ''),
      git: git?.path,
      text: lab.meaningOf(content, { page }),
      pages,
    };
  };
  return {
    pages: content.pages.map(outline),
    // Outside the folder of uploaded files, a file belongs to the space only while a page links to it.
    files: content.files
      .filter(({ git }) => git?.path.includes('.gitbook/assets/'))
      .map(({ id, git, blob }) => [git?.path, id, blob] as const)
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    reusableContents: content.reusableContents.map((item) => [
      item.id,
      item.title,
      lab.meaningOf(content, { reusableContent: item }),
    ]),
    redirects: content.redirects.map(({ from, page, anchor }) => [
      from,
      page !== undefined && withFile.has(page) ? page : undefined,
      anchor,
    ]),
    variables: content.variables,
  };
}

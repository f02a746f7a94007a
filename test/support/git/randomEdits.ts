import { loadDocuments, loadTree, markdownOf, type PageTree } from '@bindery/content';
import type { SpaceRecord } from '@bindery/models';
import type { SeededRandom } from '../seededRandom.ts';
import { editContent, setFields, storeSource } from '../content/editContent.ts';
import type { GitRepository, RepositoryFile } from './gitRepository.ts';
import { flatten, type ImportLab } from './importing.ts';

/** Random edits of a branch and of a space. Each text that they write has a word that occurs nowhere else. */
export type RandomEdits = {
  editBranch(repository: GitRepository): Promise<void>;
  editSpace(space: SpaceRecord): Promise<void>;
};

type Line = { title: string; path: string; depth: number };

const summaryPath = 'SUMMARY.md';

export function createRandomEdits(
  random: SeededRandom,
  { contentOf }: Pick<ImportLab, 'contentOf'>,
): RandomEdits {
  let words = 0;
  const newWord = () => `word${(words += 1)}x`;

  /** Replaces, inserts or appends a paragraph; the heading stays. */
  const rewritten = (text: string): string => {
    const [heading = '', ...paragraphs] = text.trimEnd().split('\n\n');
    const at = random.below(paragraphs.length + 1);
    paragraphs.splice(at, random.chance(0.6) ? 1 : 0, `Now ${newWord()}.`);
    return `${[heading, ...paragraphs].join('\n\n')}\n`;
  };
  const newText = (title: string) => `# ${title}\n\nFirst ${newWord()}.\n\nSecond ${newWord()}.\n`;

  return {
    editBranch: async (repository) => {
      const show = async (path: string) => (await repository.git(['show', `main:${path}`])).toString();
      const lines = linesOf(await show(summaryPath));
      const changes: Record<string, RepositoryFile | null> = {};
      const at = random.below(lines.length);
      const line = lines[at] as Line;
      const isLeaf = at > 0 && (lines[at + 1]?.depth ?? 0) <= line.depth;
      const kind = random.pick(['edit', 'edit', 'edit', 'add', 'remove', 'move'] as const);
      if (kind === 'edit') changes[line.path] = rewritten(await show(line.path));
      else if (kind === 'add') {
        const title = `Branch ${newWord()}`;
        const path = `${title.replace(' ', '-').toLowerCase()}.md`;
        changes[path] = newText(title);
        lines.splice(at + 1, 0, { title, path, depth: line.depth + (random.chance(0.3) ? 1 : 0) });
      } else if (isLeaf) {
        lines.splice(at, 1);
        if (kind === 'move') {
          const path = `moved/${newWord()}.md`;
          changes[path] = await show(line.path);
          lines.splice(1 + random.below(lines.length), 0, { ...line, path, depth: 0 });
          leveled(lines);
        }
        changes[line.path] = null;
      }
      const summary = `# Table of contents\n\n${lines.map(written).join('\n')}\n`;
      await repository.commit({ ...changes, [summaryPath]: summary });
    },
    editSpace: async (space) => {
      const { tree } = await contentOf(space);
      const pages = flatten(tree).flatMap(({ page }) => (page.type === 'document' ? [page] : []));
      const page = random.pick(pages);
      const other = random.pick(pages);
      const kind = random.pick(['edit', 'edit', 'edit', 'add', 'remove', 'move'] as const);
      if (kind === 'edit' && page.document !== undefined) {
        const found = await loadDocuments(space.organization, [page.document]);
        const text = rewritten(markdownOf(found.get(page.document)!));
        const document = await storeSource(space.organization, text);
        await editContent(space, (edit) => setFields(edit, page.id, { document }));
      }
      if (kind === 'add') {
        const title = `Space ${newWord()}`;
        const slug = title.replace(' ', '-').toLowerCase();
        const document = await storeSource(space.organization, newText(title));
        const into = random.chance(0.5) ? null : page.id;
        const path = into === null ? slug : `${page.path}/${slug}`;
        const time = '2026-01-01T00:00:00.000Z';
        const created: PageTree = {
          ...{ type: 'document', id: newWord(), title, slug, path, document },
          ...{ createdAt: time, updatedAt: time, pages: [] },
        };
        await editContent(space, (edit) => edit.insert(created, { into }));
      }
      if (kind === 'remove' && page.pages.length === 0 && page !== pages[0])
        await editContent(space, (edit) => edit.remove(page.id));
      const isBelow = flatten([page]).some((below) => below.page.id === other.id);
      if (kind === 'move' && !isBelow && page !== pages[0])
        await editContent(space, (edit) =>
          edit.move(page.id, random.chance(0.5) ? { into: null, at: 1 } : { into: other.id, at: 0 }),
        );
    },
  };
}

/** A line may be one level deeper than the one above it. */
function leveled(lines: Line[]): void {
  for (const [index, line] of lines.entries())
    line.depth = Math.min(line.depth, index === 0 ? 0 : (lines[index - 1] as Line).depth + 1);
}

function linesOf(summary: string): Line[] {
  return summary.split('\n').flatMap((line) => {
    const found = /^( *)\* \[(.*)\]\((.*)\)$/.exec(line);
    if (!found) return [];
    const [, indent = '', title = '', path = ''] = found;
    return [{ title, path, depth: indent.length / 2 }];
  });
}

function written({ title, path, depth }: Line): string {
  return `${'  '.repeat(depth)}* [${title}](${path})`;
}

/** The words of the random edits in a text. */
export function wordsIn(text: string): Set<string> {
  return new Set(text.match(/word\d+x/g));
}

/** All texts of a branch: its Markdown files. */
export async function textOfBranch(repository: GitRepository): Promise<string> {
  const names = (await repository.git(['ls-tree', '-r', '-z', '--name-only', 'main'])).toString().split('\0');
  const texts = names
    .filter((name) => name.endsWith('.md'))
    .map(async (name) => repository.git(['show', `main:${name}`]));
  return (await Promise.all(texts)).join('\n');
}

/** The pages of a revision as lines: the title, indented by depth, and the text. */
export async function outlineOf(organization: string, pages: string): Promise<string[]> {
  const tree = await loadTree(organization, pages);
  const documents = flatten(tree).flatMap(({ page }) =>
    page.type === 'document' && page.document !== undefined ? [page.document] : [],
  );
  const sources = await loadDocuments(organization, [...new Set(documents)]);
  const lines = (list: readonly PageTree[], depth: number): string[] =>
    list.flatMap((page) => {
      const source = page.type === 'document' ? sources.get(page.document ?? '') : undefined;
      const own = `${'  '.repeat(depth)}${page.title}: ${source ? markdownOf(source) : ''}`;
      return [own, ...('pages' in page ? lines(page.pages, depth + 1) : [])];
    });
  return lines(tree, 0);
}

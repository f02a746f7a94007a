import type { GitExportEntry } from '@bindery/contract';
import type { ExportedContent, ExportPlan } from '../export/types.ts';
import type { PageTree } from '../store/items.ts';

/** The page, reusable content or file of the space that a repository file belongs to. */
export type Owner = Pick<GitExportEntry, 'page' | 'reusableContent' | 'file'> & { id: string };

export type Owners = {
  /** The owner of a path after the export. */
  after(path: string): Owner | undefined;
  /** The owner of a path before the export, and its new path; without `path`, the file is removed. */
  before(path: string): { owner: Owner; path?: string } | undefined;
};

/**
 * Finds the page, reusable content or file of the space that owns each repository file, before and after an
 * export.
 */
export function ownersOfFiles(
  plan: Pick<ExportPlan, 'pages' | 'files' | 'reusableContents'>,
  { content, synced = content }: { content: ExportedContent; synced?: ExportedContent },
): Owners {
  const now = new Map(ownersIn(content).map(({ owner }) => [owner.id, owner]));
  const places = [...plan.pages, ...plan.reusableContents, ...plan.files];
  const pathOf = new Map(places.map(([id, { path }]) => [id, path]));
  const byPath = new Map(places.map(([id, { path }]) => [path, now.get(id)]));
  const old = new Map(
    ownersIn(synced).flatMap(({ owner, path }) => (path === undefined ? [] : [[path, owner] as const])),
  );
  return {
    after: (path) => byPath.get(path),
    before: (path) => {
      const owner = old.get(path);
      const goesTo = owner && pathOf.get(owner.id);
      return owner && { owner: now.get(owner.id) ?? owner, path: goesTo };
    },
  };
}

function ownersIn({ pages, files, reusableContents }: ExportedContent): { owner: Owner; path?: string }[] {
  return [
    ...ownersInTree(pages),
    ...reusableContents.map(({ id, title, git }) => ({
      owner: { id, reusableContent: { id, title } },
      path: git?.path,
    })),
    ...files.map(({ id, name, git }) => ({ owner: { id, file: { id, name } }, path: git?.path })),
  ];
}

function ownersInTree(pages: readonly PageTree[]): { owner: Owner; path?: string }[] {
  return pages.flatMap((page) => {
    const below = 'pages' in page ? ownersInTree(page.pages) : [];
    if (page.type !== 'document') return below;
    const { id, title, path, git } = page;
    return [{ owner: { id, page: { id, title, path } }, path: git?.path }, ...below];
  });
}

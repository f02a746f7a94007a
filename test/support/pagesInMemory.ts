import type { LocatedPage, PageItem, PageLookup } from '@bindery/content';

type Given = {
  id: string;
  title?: string;
  slug?: string;
  path?: string;
  git?: string;
  type?: 'document' | 'group';
  pages?: Given[];
};

/** Creates a page lookup without a store, from the differences between the pages. */
export function pagesInMemory(given: Given[]): PageLookup {
  const all: LocatedPage[] = [];
  const lists = new Map<string | null, PageItem[]>();
  const visit = (pages: Given[], ancestors: PageItem[]) => {
    const items: PageItem[] = [];
    lists.set(ancestors.at(-1)?.id ?? null, items);
    for (const [
      index,
      { id, type = 'document', title = id, path = id, slug = path, git, pages: children = [] },
    ] of pages.entries()) {
      const time = '2026-01-01T00:00:00.000Z';
      const place = git === undefined ? {} : { git: { oid: 'oid', path: git } };
      const page = { id, type, title, slug, path, createdAt: time, updatedAt: time, ...place } as PageItem;
      items.push(page);
      const parent = ancestors.at(-1);
      all.push({ page, ...(parent && { parent }), ancestors, index });
      visit(children, [...ancestors, page]);
    }
  };
  visit(given, []);
  return {
    page: (id) => all.find(({ page }) => page.id === id),
    pageAtPath: (path) =>
      all.find(({ page }) => 'path' in page && page.path === path) ??
      (path === '' ? all.find(({ page }) => page.type === 'document') : undefined),
    pageAtFilePath: (path) => all.find(({ page }) => 'path' in page && page.filePath === path),
    pageOfFile: (path) => all.find(({ page }) => page.type === 'document' && page.git?.path === path),
    list: (parent) => lists.get(parent) ?? [],
    all: () => all,
    subtree: () => undefined,
  };
}

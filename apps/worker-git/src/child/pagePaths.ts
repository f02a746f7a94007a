/** The paths of pages by their id. */
export type PagePaths = ReadonlyMap<string, string>;

/** The former paths of pages that have another one now. */
export function movedPages(before: PagePaths, now: PagePaths): Map<string, string> {
  const moved = new Map<string, string>();
  for (const [id, path] of now) {
    const former = before.get(id);
    if (former !== undefined && former !== path) moved.set(path, former);
  }
  return moved;
}

type Placed = { id: string; git?: { path: string }; pages?: readonly Placed[] };

/** Collects the paths of pages in a repository. */
export function pathsOfPages(pages: readonly object[]): PagePaths {
  const paths = new Map<string, string>();
  const pending = [...pages] as Placed[];
  for (let page = pending.pop(); page; page = pending.pop()) {
    if (page.git) paths.set(page.id, page.git.path);
    if (page.pages) pending.push(...page.pages);
  }
  return paths;
}

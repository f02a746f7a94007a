import type { ComputedSource, LinkTarget, TreeEntry } from './types.ts';

/** A page before its file is read: its title may not be known yet, nor its path. */
export type PlannedPage =
  | { kind: 'file'; entry: TreeEntry; label?: string; linkTitle?: string; children: PlannedPage[] }
  /** A page without a file; `folder` is the folder that it represents, if any. */
  | { kind: 'empty'; title: string; folder?: string; children: PlannedPage[] }
  | { kind: 'group'; title: string; children: PlannedPage[] }
  | { kind: 'link'; title: string; linkTitle?: string; target: LinkTarget }
  | { kind: 'computed'; title: string; computed: ComputedSource };

/** Yields every planned page in the order of the navigation. */
export function* plannedPages(pages: readonly PlannedPage[]): Iterable<PlannedPage> {
  for (const page of pages) {
    yield page;
    if ('children' in page) yield* plannedPages(page.children);
  }
}

import { plannedPages } from '@bindery/dialect/repository-format';
import { writeStableTarget, type ContentReference } from '@bindery/dialect/links';
import type { LinkPage, PageTree } from '../store/items.ts';
import type { keptTitles } from './documents/keptTitles.ts';
import type { Placement } from './placement/placeContent.ts';
import type { TargetLayout } from './readTarget.ts';
import type { NavigationPage, NavigationTarget } from './types.ts';

/**
 * Builds the page list of SUMMARY.md.
 *
 * @param titles      by page id, for pages whose title there differs from the space's
 * @param hasHeading  tells whether a page's file has its title as heading
 */
export function listedPages(
  pages: readonly PageTree[],
  {
    placement,
    titles,
    hasHeading,
  }: { placement: Placement; titles: ReturnType<typeof keptTitles>; hasHeading: (id: string) => boolean },
): NavigationPage[] {
  return pages.map(listed);

  function listed(page: PageTree): NavigationPage {
    const named = titles.get(page.id) ?? page;
    const linkTitle = 'linkTitle' in named ? named.linkTitle : undefined;
    const { title } = named;
    switch (page.type) {
      case 'group':
        return { kind: 'group', title, pages: page.pages.map(listed) };
      case 'link':
        return { kind: 'link', title, linkTitle, target: targetOfLink(page) };
      case 'computed':
        return { kind: 'computed', title, computed: page.computed };
      case 'document': {
        const file = placement.pages.get(page.id);
        const below = page.pages.map(listed);
        if (file === undefined) return { kind: 'empty', title, pages: below };
        return { kind: 'page', file, title, linkTitle, hasHeading: hasHeading(page.id), pages: below };
      }
    }
  }

  function targetOfLink({ target: ref }: LinkPage): NavigationTarget {
    if (ref.kind === 'url') return { kind: 'url', url: ref.url };
    const isHere = !('space' in ref) || ref.space === undefined;
    const path = isHere ? pathOf(ref) : undefined;
    if (path !== undefined)
      return { kind: 'file', path, anchor: ref.kind === 'anchor' ? ref.anchor : undefined };
    // The form in which repositories name other spaces.
    if (ref.kind === 'space') return { kind: 'url', url: `https://app.gitbook.com/s/${ref.space}` };
    // A missing page or file keeps its URL in GitBook's form.
    const stable = writeStableTarget(ref);
    return { kind: 'url', url: isHere && isGone(ref) ? `/broken${stable}` : stable };
  }

  function pathOf(ref: ContentReference): string | undefined {
    if (ref.kind === 'file') return placement.files.get(ref.file);
    if (ref.kind === 'reusable-content') return placement.reusableContents.get(ref.reusableContent);
    return (ref.kind === 'page' || ref.kind === 'anchor') && ref.page !== undefined
      ? placement.pages.get(ref.page)
      : undefined;
  }

  function isGone(ref: ContentReference): boolean {
    if (ref.kind === 'page' || ref.kind === 'anchor')
      return ref.page !== undefined && !hasPage(pages, ref.page);
    return ref.kind === 'file' || ref.kind === 'reusable-content';
  }
}

function hasPage(pages: readonly PageTree[], id: string): boolean {
  return pages.some((page) => page.id === id || ('pages' in page && hasPage(page.pages, id)));
}

/** Maps each listed file to its label in SUMMARY.md; undefined for an entry without a label. */
export function labelsIn({ navigation }: TargetLayout): ReadonlyMap<string, string | undefined> {
  const labels = new Map<string, string | undefined>();
  for (const page of plannedPages(navigation()))
    if (page.kind === 'file') labels.set(page.entry.path, page.label);
  return labels;
}

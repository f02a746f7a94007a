import { slugOfTitle, type ComputedSource } from '@bindery/dialect/repository-format';
import type { DocumentPage, FileItem, LinkPage, PageTree, ReusableContentItem } from '../store/items.ts';
import { slugSupply } from '../tree/slugSupply.ts';

type Fields<Page> = Omit<Page, 'type' | 'slug' | 'path' | 'createdAt' | 'updatedAt' | 'children' | 'git'>;

/** A page on its way into a space. What its place there decides is still open: slug, path, times. */
export type NewPage =
  | (Fields<DocumentPage> & { type: 'document'; pages: NewPage[] })
  | { type: 'group'; id: string; title: string; pages: NewPage[] }
  | (Fields<LinkPage> & { type: 'link' })
  | { type: 'computed'; id: string; title: string; computed: ComputedSource };

/** Pages with their files, ready to be added to a space: documents and bytes are stored already. */
export type NewContent = { pages: NewPage[]; files: FileItem[]; reusableContents: ReusableContentItem[] };

export type NewPlace = {
  /** Path of the page above; empty for the root. */
  path: string;
  /** The slug in its place: unique among all that get one there. */
  slugOf(title: string): string;
  time: string;
};

/**
 * The page as the store keeps it, with all below it.
 *
 * @param isBelow  whether it goes below another page, where no group may be: one becomes an empty page
 */
export function placePage(page: NewPage, { path: above, slugOf, time }: NewPlace, isBelow: boolean): PageTree {
  const times = { createdAt: time, updatedAt: time };
  if (page.type === 'link' || page.type === 'computed') return { ...page, ...times };
  const slug = slugOf(page.title);
  const path = above === '' ? slug : `${above}/${slug}`;
  const inner: NewPlace = { path, slugOf: uniqueSlugs(), time };
  const pages = page.pages.map((child) => placePage(child, inner, true));
  if (page.type === 'document') return { ...page, ...times, slug, path, pages };
  return { ...page, ...times, type: isBelow ? 'document' : 'group', slug, path, pages };
}

/**
 * Slugs of pages that share a parent: each once, with the next free number behind it where the title gives one again.
 *
 * @param isTaken  whether a page that was there before has a slug
 */
export function uniqueSlugs(isTaken?: (slug: string) => boolean): (title: string) => string {
  const slugOf = slugSupply(isTaken);
  return (title) => slugOf(slugOfTitle(title, 'page'));
}

/** All pages of a list, each before those below it. */
export function* eachNewPage(pages: readonly NewPage[]): Iterable<NewPage> {
  for (const page of pages) {
    yield page;
    if ('pages' in page) yield* eachNewPage(page.pages);
  }
}

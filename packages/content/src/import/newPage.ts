import { slugOfTitle, type ComputedSource } from '@bindery/dialect/repository-format';
import type { DocumentPage, FileItem, LinkPage, PageTree, ReusableContentItem } from '../store/items.ts';
import { slugSupply } from '../tree/slugSupply.ts';

type Fields<Page> = Omit<Page, 'type' | 'slug' | 'path' | 'createdAt' | 'updatedAt' | 'children' | 'git'>;

/** A page to be added to a space. Its position there determines slug, path and times. */
export type NewPage =
  | (Fields<DocumentPage> & { type: 'document'; pages: NewPage[] })
  | { type: 'group'; id: string; title: string; pages: NewPage[] }
  | (Fields<LinkPage> & { type: 'link' })
  | { type: 'computed'; id: string; title: string; computed: ComputedSource };

/** Pages with their files, to be added to a space; documents and bytes are stored already. */
export type NewContent = { pages: NewPage[]; files: FileItem[]; reusableContents: ReusableContentItem[] };

export type NewPlace = {
  /** Path of the parent page; empty for the root. */
  path: string;
  /** Returns a slug that is unique among the siblings. */
  slugOf(title: string): string;
  time: string;
};

/**
 * Converts the page, with all pages below it, to the form of the store.
 *
 * @param isBelow  whether it goes below another page, where groups are not allowed: a group becomes an empty
 *   page
 */
export function placePage(
  page: NewPage,
  { path: above, slugOf, time }: NewPlace,
  isBelow: boolean,
): PageTree {
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
 * Assigns unique slugs to sibling pages: a repeated title gets the next free number.
 *
 * @param isTaken  tells whether an existing page has a slug
 */
export function uniqueSlugs(isTaken?: (slug: string) => boolean): (title: string) => string {
  const slugOf = slugSupply(isTaken);
  return (title) => slugOf(slugOfTitle(title, 'page'));
}

/** Yields all pages of a list, each before those below it. */
export function* eachNewPage(pages: readonly NewPage[]): Iterable<NewPage> {
  for (const page of pages) {
    yield page;
    if ('pages' in page) yield* eachNewPage(page.pages);
  }
}

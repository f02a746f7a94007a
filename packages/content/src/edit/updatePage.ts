import type { UpdatePage } from '@bindery/contract';
import { canonical } from '../store/hash.ts';
import type { PageItem } from '../store/items.ts';
import { freeSlug, repath } from '../tree/pagePaths.ts';
import type { LocatedPage } from '../tree/pageLookup.ts';
import { composePage } from './composePage.ts';
import type { Draft } from './draft.ts';
import { setPage } from './pageText.ts';
import { isSlugTaken, levelsBelow, requirePosition, slugAsGiven, slugForTitle } from './treePositions.ts';
import { refused } from './refuse.ts';

/** @throws invalid_request */
export async function updatePage(draft: Draft, given: UpdatePage, change: number): Promise<void> {
  const { edit } = draft;
  const located = requirePage(draft, given.page, change);
  requireFields(located.page, given, change);
  const into = movePage(draft, located, { given, change });
  const { page } = located;
  if (page.type === 'document') {
    const source = await draft.sources.of(page);
    const composed = await composePage(draft, given, { page, source, change });
    if (composed) await setPage(draft, page.id, composed, source);
  } else {
    const title = given.title?.replace(/\s+/g, ' ').trim();
    const fields = {
      ...(title && { title }),
      ...(given.hidden !== undefined && { hidden: given.hidden || undefined }),
    };
    edit.update(page.id, (item) => ({ ...item, ...fields }) as PageItem);
  }
  setSlug(draft, page.id, { given, into, change, isMoved: into !== (located.parent?.id ?? null) });
  markChanged(draft, page);
  draft.touched.add(page.id);
}

/** An unchanged page keeps its time. */
export function markChanged({ edit, now }: Draft, before: PageItem): void {
  const own = (page: PageItem | undefined) =>
    canonical({ ...page, updatedAt: undefined, children: undefined });
  if (own(edit.page(before.id)?.page) !== own(before))
    edit.update(before.id, (page) => ({ ...page, updatedAt: now }));
}

/** @throws invalid_request when the content does not contain the page */
export function requirePage({ edit }: Draft, id: string, change: number): LocatedPage {
  const located = edit.page(id);
  if (!located) throw refused(change, 'page', 'must be the id of a page of this content.');
  return located;
}

const fieldsOfType: Record<Exclude<PageItem['type'], 'document'>, readonly string[]> = {
  group: ['title', 'slug', 'hidden'],
  link: ['title', 'hidden'],
  computed: ['title'],
};
const metadata = [
  'document',
  'title',
  'slug',
  'emoji',
  'icon',
  'description',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
] as const;

function requireFields({ type }: PageItem, given: UpdatePage, change: number): void {
  if (type === 'document') return;
  const extra = metadata.find((name) => given[name] !== undefined && !fieldsOfType[type].includes(name));
  if (extra) throw refused(change, extra, `must not be given: a page of the type ${type} has none.`);
}

/** @returns the id of the page's new parent */
function movePage(
  { edit }: Draft,
  { page, parent }: LocatedPage,
  { given, change }: { given: UpdatePage; change: number },
): string | null {
  const from = parent?.id ?? null;
  const into = given.into === undefined ? from : given.into;
  if (into === from && given.at === undefined) return into;
  if (into !== from) {
    const levels = levelsBelow(edit.subtree(page.id));
    requirePosition(edit, into, { page: { type: page.type, id: page.id, levels }, change });
  }
  edit.move(page.id, { into, at: given.at });
  return into;
}

function setSlug(
  { edit }: Draft,
  id: string,
  {
    given,
    into,
    change,
    isMoved,
  }: { given: UpdatePage; into: string | null; change: number; isMoved: boolean },
): void {
  const page = edit.page(id)?.page;
  if (!page || !('slug' in page) || (given.slug === undefined && !isMoved)) return;
  const position = { into, except: id };
  let slug: string;
  if (given.slug === undefined) slug = freeSlug(edit, page.slug, position);
  else if (given.slug === '') slug = slugForTitle(edit, page.title, position);
  else {
    slug = slugAsGiven(given.slug);
    if (slug !== page.slug && isSlugTaken(edit, slug, position))
      throw refused(change, 'slug', 'must be unique among siblings: another page has it.');
  }
  if (slug === page.slug && !isMoved) return;
  edit.update(id, (item) => ({ ...item, slug }) as PageItem);
  repath(edit, id);
}

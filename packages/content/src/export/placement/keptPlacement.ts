import { canonical } from '../../store/hash.ts';
import type { FileItem, GitLocation, PageTree, ReusableContentItem } from '../../store/items.ts';
import type { ExportedContent } from '../types.ts';
import type { Placement } from './placeContent.ts';

/**
 * Returns the places last in sync, if they still apply: nothing but texts of pages has changed since. Most
 * exports are such, and placing thousands of pages takes most of the time of planning.
 *
 * @param synced  the content last in sync, with its git locations in the branch, which has not moved since
 * @returns undefined if anything else has changed, such as a title or a file
 */
export function keptPlacement(content: ExportedContent, synced: ExportedContent): Placement | undefined {
  if (!areAlike(content, synced)) return undefined;
  const pages = new Map<string, string>();
  for (const page of documentsIn(synced.pages)) {
    // A page without a place was not exported.
    if (!page.git) return undefined;
    pages.set(page.id, page.git.path);
  }
  const files = placesOf(synced.files);
  const reusableContents = placesOf(synced.reusableContents);
  if (!files || !reusableContents) return undefined;
  const ownPaths = new Set([...pages.values(), ...files.values(), ...reusableContents.values()]);
  return { pages, files, reusableContents, ownPaths };
}

/** Tells whether two contents differ only in the documents of pages that have one in both. */
function areAlike(
  { pages, ...content }: ExportedContent,
  { pages: before, ...synced }: ExportedContent,
): boolean {
  return areSame(pages, before) && isEqual(content, synced);
}

function areSame(pages: readonly PageTree[], before: readonly PageTree[]): boolean {
  if (pages === before) return true;
  return pages.length === before.length && pages.every((page, index) => isSame(page, before[index]!));
}

function isSame(page: PageTree, before: PageTree): boolean {
  if (page === before) return true;
  const names = [...Object.keys(page), ...Object.keys(before)] as (keyof PageTree)[];
  if (!names.every((name) => isOfText.has(name) || isEqual(page[name], before[name]))) return false;
  if (hasText(page) !== hasText(before)) return false;
  return !('pages' in page && 'pages' in before) || areSame(page.pages, before.pages);
}

/** Fields that an edit of a text changes, and the child pages, which are compared apart. */
const isOfText: ReadonlySet<string> = new Set(['document', 'updatedAt', 'pages']);

function hasText(page: PageTree): boolean {
  return page.type === 'document' && page.document !== undefined;
}

/** Undefined fields are as absent ones, as in the hash of a node. */
function isEqual(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  return typeof value === 'object' && typeof other === 'object' && canonical(value) === canonical(other);
}

function* documentsIn(pages: readonly PageTree[]): Iterable<PageTree & { git?: GitLocation }> {
  for (const page of pages) {
    if (page.type === 'document' && page.document !== undefined) yield page;
    if ('pages' in page) yield* documentsIn(page.pages);
  }
}

function placesOf(items: readonly (FileItem | ReusableContentItem)[]): Map<string, string> | undefined {
  const places = new Map(items.flatMap(({ id, git }) => (git ? [[id, git.path] as const] : [])));
  return places.size === items.length ? places : undefined;
}

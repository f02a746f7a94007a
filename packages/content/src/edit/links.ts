import { leadsOutside } from '@bindery/contract';
import { rewriteTargetsOnThread, withoutUnsafeTargetsOnThread } from '../parser-threads/linksOnThread.ts';
import {
  type TargetUse,
  percentDecoded,
  type LinkUse,
  type Resolve,
  readStableTarget,
  writeStableTarget,
  type StableTarget,
  type ContentReference,
} from '@bindery/dialect/links';
import { createResolver, type ReferenceContext } from '../references/createResolver.ts';
import type { DocumentPage } from '../store/items.ts';
import type { PageLookup } from '../tree/pageLookup.ts';
import type { Draft } from './draft.ts';
import { quickLookup } from './quickLookup.ts';

/**
 * Writes the links of a page's text as what they mean now, so that they stay true when pages move: names of the batch, paths and relative links
 * become `/pages/ID` and `/files/ID`. What follows from the file that a page was imported from stays as it was written, like every URL; what nobody shall follow keeps only its words.
 *
 * @returns undefined when that took too long
 * @param standing  targets that stood in the page before; absent: what leads nowhere yet is left for later
 */
export async function settleLinks(
  draft: Draft,
  page: DocumentPage,
  markdown: string,
  standing?: ReadonlySet<string>,
): Promise<string | undefined> {
  const { organization } = draft.base;
  const meaningOf = createMeaning(draft, page);
  const safe = await withoutUnsafeTargetsOnThread(markdown, organization);
  if (safe === undefined) return undefined;
  const settle = (target: string, use: TargetUse) => {
    if (target.startsWith('#') || leadsOutside(target)) return undefined;
    const meaning = meaningOf(target, use);
    if (meaning === 'kept') return undefined;
    if (meaning) return writeStableTarget(meaning);
    // A picture that is missing shows that it is; a link that never led anywhere is a text.
    return use === 'link' && standing && !standing.has(target) ? null : undefined;
  };
  return rewriteTargetsOnThread(safe, settle, organization);
}

/** Far more than any page has: what comes after them stays as it was written. */
const maxTargets = 5_000;

type Meaning = ContentReference | 'kept' | undefined;

/** What a target means, to be written down; `kept` where the target says it already. */
function createMeaning({ names, ...draft }: Draft, page: DocumentPage): (target: string, use: LinkUse) => Meaning {
  const known = new Map<string, Meaning>();
  const pages = quickLookup(draft.edit);
  // Most texts have no link that needs them.
  let fileIds: ReadonlySet<string> | undefined;
  let resolvers: Resolve[] | undefined;
  const hasFile = (id: string) => (fileIds ??= new Set(draft.files.map((file) => file.id))).has(id);
  const isThere = (found: ContentReference) => {
    if (found.kind === 'file') return hasFile(found.file);
    if ((found.kind !== 'page' && found.kind !== 'anchor') || found.page === undefined) return true;
    return (found.space ?? draft.base.space) !== draft.base.space || pages.page(found.page) !== undefined;
  };
  const resolve: Resolve = (target, use) => {
    resolvers ??= filesOfPage(pages, page).map((from) => createResolver({ ...contextOf(draft, from), tree: pages }));
    for (const resolver of resolvers) {
      const found = resolver(target, use);
      if (found && isThere(found)) return found;
    }
    return undefined;
  };
  /** Whether a target names by an id what it means, or what is known to be broken. */
  const saysItself = ({ kind, id, space, isBroken }: StableTarget & { isBroken: boolean }) => {
    if (isBroken || space !== undefined) return true;
    if (kind === 'page') return pages.page(id) !== undefined;
    return kind !== 'file' || hasFile(id);
  };
  const find = (target: string, use: LinkUse): Meaning => {
    const named = names.find(target);
    if (named) return named;
    const stable = readStableTarget(target);
    if (stable && saysItself(stable)) return 'kept';
    const found = resolve(target, use) ?? ofWrittenPath(pages, target);
    return found && page.git && !stable ? 'kept' : found;
  };
  return (target, use) => {
    const key = `${use} ${target}`;
    if (known.has(key)) return known.get(key);
    if (known.size >= maxTargets) return 'kept';
    const meaning = find(target, use);
    known.set(key, meaning);
    return meaning;
  };
}

/** What references on a page are resolved against. */
export function contextOf(
  { base, edit, files, reusableContents }: Pick<Draft, 'base' | 'edit' | 'files' | 'reusableContents'>,
  page: DocumentPage | undefined,
): ReferenceContext {
  return { organization: base.organization, space: base.space, tree: edit, files, reusableContents, from: { page } };
}

/** A page that no file stands for would have one or the other, whether pages are below it or not: links are written for both. */
function filesOfPage(pages: PageLookup, page: DocumentPage): DocumentPage[] {
  if (page.git) return [page];
  const asFolder = { ...page, path: page.path === '' || page.path === 'readme' ? page.path : `${page.path}/README` };
  return pages.list(page.id).length > 0 ? [asFolder, page] : [page, asFolder];
}

/** `/pages/guides/start.md`, `/pages/guides/README.md` and `/pages/README.md`: the file that a page would have, below `/pages`. */
function ofWrittenPath(pages: PageLookup, target: string): ContentReference | undefined {
  const [, written, anchor] = /^\/pages\/((?:[^?#]*\/)?[^?#/]+\.md)(?:\?[^#]*)?(?:#(.*))?$/i.exec(target) ?? [];
  if (written === undefined) return undefined;
  for (const file of [percentDecoded(written) ?? written, written]) {
    const page = pages.pageAtPath(file.replace(/(?:^|\/)README\.md$/, '').replace(/\.md$/i, ''))?.page;
    if (page) return anchor ? { kind: 'anchor', anchor: percentDecoded(anchor) ?? anchor, page: page.id } : { kind: 'page', page: page.id };
  }
  return undefined;
}

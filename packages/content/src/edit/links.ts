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
 * Writes the links of a page's text as stable targets that survive moves: names of the batch, paths and
 * relative links become `/pages/ID` and `/files/ID`. URLs, and links that resolve from the file that the page
 * was imported from, stay as written; an unsafe link is reduced to its text.
 *
 * @returns undefined when that took too long
 * @param standing  the targets of the page's old text; absent: unresolved targets are left for later
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
    // A missing picture is visibly missing; a new link without a target becomes text.
    return use === 'link' && standing && !standing.has(target) ? null : undefined;
  };
  return rewriteTargetsOnThread(safe, settle, organization);
}

/** Far more than any page has: further targets stay as written. */
const maxTargets = 5_000;

type Meaning = ContentReference | 'kept' | undefined;

/** Resolves a target for rewriting; `kept` where the target needs no rewriting. */
function createMeaning(
  { names, ...draft }: Draft,
  page: DocumentPage,
): (target: string, use: LinkUse) => Meaning {
  const known = new Map<string, Meaning>();
  const pages = quickLookup(draft.edit);
  // Built on demand, because most texts have no link that needs them.
  let fileIds: ReadonlySet<string> | undefined;
  let resolvers: Resolve[] | undefined;
  const hasFile = (id: string) => (fileIds ??= new Set(draft.files.map((file) => file.id))).has(id);
  const isThere = (found: ContentReference) => {
    if (found.kind === 'file') return hasFile(found.file);
    if ((found.kind !== 'page' && found.kind !== 'anchor') || found.page === undefined) return true;
    return (found.space ?? draft.base.space) !== draft.base.space || pages.page(found.page) !== undefined;
  };
  const resolve: Resolve = (target, use) => {
    resolvers ??= filesOfPage(pages, page).map((from) =>
      createResolver({ ...contextOf(draft, from), tree: pages }),
    );
    for (const resolver of resolvers) {
      const found = resolver(target, use);
      if (found && isThere(found)) return found;
    }
    return undefined;
  };
  /** Tells whether a target already names its object by id, or is known to be broken. */
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

/** The parse context for references on a page. */
export function contextOf(
  { base, edit, files, reusableContents }: Pick<Draft, 'base' | 'edit' | 'files' | 'reusableContents'>,
  page: DocumentPage | undefined,
): ReferenceContext {
  return {
    organization: base.organization,
    space: base.space,
    tree: edit,
    files,
    reusableContents,
    from: { page },
  };
}

/**
 * A page without a file would get one of two paths, depending on whether pages are below it: authors write
 * links for both.
 */
function filesOfPage(pages: PageLookup, page: DocumentPage): DocumentPage[] {
  if (page.git) return [page];
  const asFolder = {
    ...page,
    path: page.path === '' || page.path === 'readme' ? page.path : `${page.path}/README`,
  };
  return pages.list(page.id).length > 0 ? [asFolder, page] : [page, asFolder];
}

/**
 * Resolves the path that a page's file would have, below `/pages`: `/pages/guides/start.md`,
 * `/pages/guides/README.md` and `/pages/README.md`.
 */
function ofWrittenPath(pages: PageLookup, target: string): ContentReference | undefined {
  const [, written, anchor] =
    /^\/pages\/((?:[^?#]*\/)?[^?#/]+\.md)(?:\?[^#]*)?(?:#(.*))?$/i.exec(target) ?? [];
  if (written === undefined) return undefined;
  for (const file of [percentDecoded(written) ?? written, written]) {
    const page = pages.pageAtPath(file.replace(/(?:^|\/)README\.md$/, '').replace(/\.md$/i, ''))?.page;
    if (page)
      return anchor
        ? { kind: 'anchor', anchor: percentDecoded(anchor) ?? anchor, page: page.id }
        : { kind: 'page', page: page.id };
  }
  return undefined;
}

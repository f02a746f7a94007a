import { isSafeTarget, isWebTarget, schemeOf } from '@bindery/contract/linkTarget';
import {
  withoutUnsafeTargets,
  rewriteTargets,
  type ContentReference,
  type CoverReference,
} from '@bindery/dialect/links';
import { scanPage } from '@bindery/dialect/repository-format';
import { compact } from '@bindery/runtime/compact';
import type { ReusableContentItem } from '../store/items.ts';
import {
  eachDraftPage,
  isInArchive,
  type Draft,
  type DraftFile,
  type DraftInclude,
  type DraftPage,
} from './draft.ts';
import type { NewPage } from './newPage.ts';
import { withHeading } from './pageFile.ts';
import { createUrlMap } from './urlMap.ts';

type Destination = { kind: 'page' | 'file' | 'reusable-content'; id: string };

export type LinkedContent = {
  pages: NewPage[];
  reusableContents: ReusableContentItem[];
  /** The files of pages and reusable contents, by id. */
  documents: Map<string, Uint8Array>;
  /** Ids of the files that a page shows or links to. */
  filesInUse: Set<string>;
};

/**
 * Turns drafts into pages: each gets its heading, and links to other pages and files become ids, in the forms
 * `/pages/<id>` and `/files/<id>`, which survive moves.
 *
 * A link without a target in the import stays as written in an archive, and becomes an absolute URL
 * elsewhere.
 *
 * @param hashOf  returns the SHA-256 under which a file is stored as a document
 */
export function linkDrafts(
  drafts: readonly Draft[],
  {
    files,
    includes,
    hashOf,
  }: {
    files: readonly Pick<DraftFile, 'id' | 'place'>[];
    includes: readonly DraftInclude[];
    hashOf: (file: Uint8Array) => string;
  },
): LinkedContent {
  const destinations = createUrlMap<Destination>();
  for (const { id, place } of files) destinations.add(place, { kind: 'file', id });
  for (const { id, place } of includes) destinations.add(place, { kind: 'reusable-content', id });
  for (const { id, places: own } of eachDraftPage(drafts))
    for (const place of own) destinations.add(place, { kind: 'page', id });
  const documents = new Map<string, Uint8Array>();
  const filesInUse = new Set<string>();
  const find = (place: URL) => {
    const found = destinations.find(place);
    if (found?.kind === 'file') filesInUse.add(found.id);
    return found;
  };
  const context: Context = { find, documents, hashOf };
  return {
    pages: drafts.map((draft) => linkDraft(draft, context)),
    reusableContents: includes.map((include) => linkInclude(include, context)),
    documents,
    filesInUse,
  };
}

type Context = {
  find(place: URL): Destination | undefined;
  documents: Map<string, Uint8Array>;
  hashOf(file: Uint8Array): string;
};

function linkInclude({ id, title, place, markdown }: DraftInclude, context: Context): ReusableContentItem {
  const file = new TextEncoder().encode(
    rewriteTargets(withoutUnsafeTargets(markdown), (target) => targetOf(target, place, context)),
  );
  context.documents.set(id, file);
  return { id, title, document: context.hashOf(file) };
}

function linkDraft(draft: Draft, context: Context): NewPage {
  switch (draft.kind) {
    case 'group':
      return {
        type: 'group',
        id: draft.id,
        title: draft.title,
        pages: draft.pages.map((page) => linkDraft(page, context)),
      };
    case 'link': {
      const { id, title, linkTitle, target } = draft;
      if (!isSafeTarget(target.href))
        return compact({ type: 'document' as const, id, title, linkTitle, pages: [] });
      const leadsTo = referenceTo(target, context);
      return compact({ type: 'link' as const, id, title, linkTitle, target: leadsTo });
    }
    case 'computed':
      return { type: 'computed', id: draft.id, title: draft.title, computed: draft.computed };
    case 'page':
      return linkPage(draft, context);
  }
}

function linkPage(draft: DraftPage, context: Context): NewPage {
  const { id, linkTitle, places, markdown } = draft;
  const pages = draft.pages.map((page) => linkDraft(page, context));
  if (markdown === undefined)
    return compact({ type: 'document' as const, id, title: draft.title, linkTitle, pages });

  const [base] = places;
  const linked = rewriteTargets(withoutUnsafeTargets(withHeading(markdown, draft)), (target) =>
    targetOf(target, base, context),
  );
  const file = new TextEncoder().encode(linked);
  context.documents.set(id, file);
  const { h1 = draft.title, frontmatter = {} } = scanPage(file);
  const { description, icon, emoji, condition, tags, variables, layout, cover, coverY, coverHeight } =
    frontmatter;
  const coverOf = (written: string | undefined) =>
    written === undefined ? undefined : coverReference(written, base, context);
  const [ref, refDark] = [coverOf(cover?.light), coverOf(cover?.dark)];
  return compact({
    type: 'document' as const,
    id,
    title: draft.label ?? h1,
    linkTitle,
    pages,
    emoji,
    icon,
    description,
    hidden: frontmatter.hidden || undefined,
    noIndex: frontmatter.noIndex || undefined,
    noRobotsIndex: frontmatter.noRobotsIndex || undefined,
    layout,
    cover:
      ref || refDark ? compact({ ref, refDark, yPos: coverY ?? 0, heightPixels: coverHeight }) : undefined,
    variables,
    tags,
    condition,
    document: context.hashOf(file),
  });
}

/** @returns undefined for a target that stays as written */
function targetOf(target: string, base: URL | undefined, { find }: Context): string | undefined {
  if (target === '' || target.startsWith('#')) return undefined;
  const url = URL.parse(target, base?.href);
  if (!url || !isWebTarget(url.href)) return undefined;
  const found = find(url);
  if (found?.kind === 'page') return `/pages/${found.id}${url.hash}`;
  if (found) return `/${found.kind}s/${found.id}`;
  return isInArchive(url) || schemeOf(target) !== undefined ? undefined : url.href;
}

function referenceTo(target: URL, { find }: Context): ContentReference {
  const found = find(target);
  if (found?.kind === 'file') return { kind: 'file', file: found.id };
  if (found?.kind === 'reusable-content') return { kind: 'reusable-content', reusableContent: found.id };
  if (!found)
    return {
      kind: 'url',
      url: isInArchive(target) ? `${target.pathname}${target.search}${target.hash}` : target.href,
    };
  const anchor = target.hash.slice(1);
  return anchor === '' ? { kind: 'page', page: found.id } : { kind: 'anchor', anchor, page: found.id };
}

function coverReference(
  written: string,
  base: URL | undefined,
  { find }: Context,
): CoverReference | undefined {
  const url = URL.parse(written, base?.href);
  const found = url && isWebTarget(url.href) ? find(url) : undefined;
  if (found?.kind === 'file') return { kind: 'file', file: found.id };
  return url && !isInArchive(url) && isWebTarget(url.href) ? { kind: 'url', url: url.href } : undefined;
}

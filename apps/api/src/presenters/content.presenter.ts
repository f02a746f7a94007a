import {
  variableValues,
  type FileItem,
  type PageHistoryLookup,
  type PageTree,
  type ReusableContentItem,
} from '@bindery/content';
import type { PageLayout as StoredLayout } from '@bindery/dialect/frontmatter';
import {
  type ChangeRequest,
  type ContentRef,
  type DocumentTree,
  type File,
  type GitPage,
  type Page,
  type PageCover,
  type PageLayout,
  type ReusableContent,
  type Revision,
  type RevisionSummary,
  type User,
  isSafeTarget,
} from '@bindery/contract';
import type { RevisionGitRecord, RevisionRecord } from '@bindery/models';
import type { Visitor } from '@bindery/publishing';
import type { Links } from './links.ts';
import { visitorUrlEnd } from './fileUrl.ts';

/** Limits of the height of a cover in pixels; frontmatter may contain any number. */
const minCoverHeight = 10;
const maxCoverHeight = 700;

/**
 * The reader's view of content. `metadata` adds data from git. A visitor does not see the conditions of
 * pages, which would reveal what others see, and gets file URLs that expire.
 */
export type ContentOptions = {
  links: Links;
  metadata: boolean;
  visitor?: Visitor | undefined;
  /** The history of pages in their branch; contributors are shown with a single page. */
  history?: PageHistoryLookup | undefined;
  hasContributors?: boolean;
};

/** The content of a page, in answers with one page. */
export type PageBody = { markdown: string } | { document: DocumentTree };

function presentCommit({ oid, message, createdByDocs, url, ref }: RevisionGitRecord): Revision['git'] {
  return { oid, message, createdByDocs, createdByGitBook: createdByDocs, url, ref };
}

/** A revision as lists load it: without the roots of its content. */
export type RevisionInList = Pick<
  RevisionRecord,
  '_id' | 'space' | 'type' | 'parents' | 'createdBy' | 'createdAt' | 'git' | 'mergedFrom'
>;

export function presentRevisionSummary(
  revision: RevisionInList,
  shown: { createdBy: User; mergedFrom?: ChangeRequest },
  options: Pick<ContentOptions, 'links' | 'metadata'>,
): RevisionSummary {
  return { ...presentFacts(revision, options), ...shown };
}

/** The facts about a revision that lists and single reads share. */
function presentFacts(
  { _id: id, space, type, parents, createdAt, git }: RevisionInList,
  { links, metadata }: Pick<ContentOptions, 'links' | 'metadata'>,
) {
  return {
    object: 'revision' as const,
    id,
    type,
    parents,
    createdAt: createdAt.toISOString(),
    git: metadata && git ? presentCommit(git) : undefined,
    urls: { app: links.app(`/s/${space}/~/revisions/${id}`) },
  };
}

/** Presents a revision with all its pages, files and reusable contents. */
export function presentRevision(
  revision: RevisionRecord,
  {
    pages,
    files,
    reusableContents,
    mergedFrom,
  }: {
    pages: PageTree[];
    files: readonly FileItem[];
    reusableContents: readonly ReusableContentItem[];
    mergedFrom?: ChangeRequest;
  },
  options: ContentOptions,
): Revision {
  const { variables } = revision;
  return {
    ...presentFacts(revision, options),
    mergedFrom,
    pages: presentPages(revision, pages, options),
    files: files.map((file) => presentFile(revision, file, options)),
    reusableContents: reusableContents.map((content) => presentReusableContent(content, options)),
    tags: [],
    variables: variables.length > 0 ? variableValues(variables) : undefined,
  };
}

export function presentPages(
  revision: RevisionRecord,
  pages: readonly PageTree[],
  options: ContentOptions,
): Page[] {
  return pages.map((page) => presentPage(revision, page, options));
}

export function presentReusableContent(
  { id, title, document, git }: ReusableContentItem,
  { metadata }: Pick<ContentOptions, 'metadata'>,
): ReusableContent {
  return { id, title, document, git: metadata ? git : undefined };
}

/** @param body  the content of the page, in answers with one page; the pages below it have none */
export function presentPage(
  revision: RevisionRecord,
  page: PageTree,
  options: ContentOptions,
  body?: PageBody,
): Page {
  const common = { id: page.id, title: page.title, createdAt: page.createdAt, updatedAt: page.updatedAt };
  if (page.type === 'computed') return { ...common, type: 'computed', computed: page.computed };
  if (page.type === 'link') {
    const { linkTitle, target } = page;
    return {
      ...common,
      linkTitle,
      type: 'link',
      kind: 'link',
      target: presentLinkTarget(target),
      ...hrefOf(target, { revision, links: options.links }),
      hidden: page.hidden ?? false,
    };
  }
  // The history of a single page was looked up, not that of the pages below it.
  const below = options.hasContributors ? { ...options, history: undefined } : options;
  const pages = presentPages(revision, page.pages, below);
  if (page.type === 'group') {
    return {
      ...common,
      type: 'group',
      kind: 'group',
      slug: page.slug,
      path: page.path,
      hidden: page.hidden ?? false,
      noIndex: false,
      noRobotsIndex: false,
      pages,
    };
  }
  const { linkTitle, emoji, icon, description, cover, variables, condition, git, document } = page;
  return {
    ...common,
    linkTitle,
    emoji,
    icon,
    type: 'document',
    kind: 'sheet',
    slug: page.slug,
    path: page.path,
    description,
    layout: presentLayout(page.layout),
    ...presentCover(cover),
    variables: variables && variableValues(variables),
    tags: (page.tags ?? []).map(({ tag, primary }) => ({
      tag: { kind: 'tag', tag },
      primary,
    })),
    hidden: page.hidden ?? false,
    noIndex: page.noIndex ?? false,
    noRobotsIndex: page.noRobotsIndex ?? false,
    condition: options.visitor ? undefined : condition,
    git: options.metadata && git ? presentGitPage(git, options) : undefined,
    urls: {
      app: options.links.app(
        `/s/${revision.space}/${page.path.split('/').map(encodeURIComponent).join('/')}`,
      ),
    },
    documentId: document,
    ...body,
    pages,
  };
}

/** Visitors see no e-mails. */
function presentGitPage(
  { oid, path }: { oid: string; path: string },
  { history, hasContributors, visitor }: ContentOptions,
): GitPage {
  const entry = history?.({ oid, path });
  if (!entry) return { oid, path };
  const [lastAuthor, ...others] = entry.by.map(({ name, email }) => ({
    name: name || 'Unknown',
    email: visitor || email === '' ? undefined : email,
  }));
  return {
    oid,
    path,
    updatedAt: entry.at === undefined ? undefined : new Date(entry.at * 1000).toISOString(),
    lastAuthor,
    contributors: hasContributors && lastAuthor ? [lastAuthor, ...others] : undefined,
  };
}

export function presentLayout(layout: StoredLayout = {}): PageLayout {
  return {
    width: layout.width ?? 'default',
    cover: layout.cover ?? true,
    coverSize: layout.coverSize ?? 'hero',
    coverMask: layout.coverMask ?? 'none',
    title: layout.title ?? true,
    description: layout.description ?? true,
    tableOfContents: layout.tableOfContents ?? true,
    outline: layout.outline ?? true,
    pagination: layout.pagination ?? true,
    metadata: layout.metadata ?? true,
    tags: layout.tags ?? true,
    actions: layout.actions ?? true,
    anchors: layout.anchors ?? true,
  };
}

/** Empty for a cover whose light picture is missing or unsafe. */
export function presentCover(cover: Extract<PageTree, { type: 'document' }>['cover']): { cover?: PageCover } {
  const isShown = (ref: ContentRef | undefined) =>
    ref && (ref.kind !== 'url' || isSafeTarget(ref.url, 'picture'));
  if (!cover?.ref || !isShown(cover.ref)) return {};
  const { ref, refDark, yPos, heightPixels } = cover;
  return {
    cover: {
      ref,
      refDark: refDark && isShown(refDark) ? refDark : undefined,
      yPos,
      height:
        heightPixels === undefined
          ? undefined
          : Math.min(Math.max(heightPixels, minCoverHeight), maxCoverHeight),
    },
  };
}

/** The target of a link page. An unsafe target becomes `about:blank`. */
export function presentLinkTarget(target: ContentRef): ContentRef {
  return target.kind === 'url' && !isSafeTarget(target.url) ? { kind: 'url', url: 'about:blank' } : target;
}

function hrefOf(
  target: ContentRef,
  { revision, links }: { revision: RevisionRecord; links: Links },
): { href?: string } {
  if (target.kind === 'url')
    return isSafeTarget(target.url) && URL.canParse(target.url) ? { href: target.url } : {};
  if (target.kind === 'space') return { href: links.app(`/s/${target.space}`) };
  if (target.kind === 'page')
    return { href: links.app(`/s/${target.space ?? revision.space}/~/pages/${target.page}`) };
  if (target.kind === 'anchor' && target.page) {
    return {
      href: links.app(
        `/s/${target.space ?? revision.space}/~/pages/${target.page}#${encodeURIComponent(target.anchor)}`,
      ),
    };
  }
  return {};
}

export function presentFile(revision: RevisionRecord, file: FileItem, options: ContentOptions): File {
  const { visitor } = options;
  const end = visitor && { site: visitor.site, isPreview: visitor.isPreview, until: visitorUrlEnd() };
  return {
    object: 'file',
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    size: file.sizeBytes,
    downloadURL: options.links.file({
      organization: revision.organization,
      space: revision.space,
      blob: file.blob,
      name: file.name,
      ...end,
    }),
    dimensions: file.dimensions,
    git: options.metadata ? file.git : undefined,
  };
}

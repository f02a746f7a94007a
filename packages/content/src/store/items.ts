/**
 * The entries of content nodes. Only values that differ from the default are stored, so that equal content
 * has equal bytes and one hash. Times are ISO 8601 strings, because they are hashed.
 */

import type { CoverReference, ContentReference } from '@bindery/dialect/links';
import type { ComputedSource } from '@bindery/dialect/repository-format';
import type { PageLayout, PageTag, Variable } from '@bindery/dialect/frontmatter';

export type GitLocation = { oid: string; path: string };

type PageBase = { id: string; title: string; createdAt: string; updatedAt: string };

export type DocumentPage = PageBase & {
  type: 'document';
  slug: string;
  path: string;
  /**
   * The path of its file, or its path from the time when paths followed files: it leads here if no page has
   * it. Absent if equal to `path`.
   */
  filePath?: string;
  /**
   * The last paths of the page before imports gave it others, newest first: they lead here too. No other page
   * of the content has them.
   */
  oldPaths?: string[];
  /** Short title for the navigation, if it differs from the title. */
  linkTitle?: string;
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: true;
  noIndex?: true;
  noRobotsIndex?: true;
  layout?: PageLayout;
  cover?: { ref?: CoverReference; refDark?: CoverReference; yPos: number; heightPixels?: number };
  variables?: Variable[];
  tags?: PageTag[];
  condition?: string;
  git?: GitLocation;
  /** SHA-256 of the page's source; absent on a page without content. */
  document?: string;
  /** Node of the child pages; absent without any. */
  children?: string;
};

export type GroupPage = PageBase & {
  type: 'group';
  slug: string;
  path: string;
  filePath?: string;
  oldPaths?: string[];
  hidden?: true;
  children?: string;
};
export type LinkPage = PageBase & {
  type: 'link';
  linkTitle?: string;
  target: ContentReference;
  hidden?: true;
};
export type ComputedPage = PageBase & { type: 'computed'; computed: ComputedSource };

/** An entry of a node: a page with its metadata, and the hashes of its document and its children's node. */
export type PageItem = DocumentPage | GroupPage | LinkPage | ComputedPage;

/**
 * A page with its child pages instead of their hash: the form before trees are written and after they are
 * read.
 */
export type PageTree =
  | (Omit<DocumentPage, 'children'> & { pages: PageTree[] })
  | (Omit<GroupPage, 'children'> & { pages: PageTree[] })
  | LinkPage
  | ComputedPage;

export type FileItem = {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  dimensions?: { width: number; height: number };
  /** SHA-256 of the bytes: their id in the blob store. */
  blob: string;
  git?: GitLocation;
};

export type ReusableContentItem = { id: string; title: string; document: string; git?: GitLocation };

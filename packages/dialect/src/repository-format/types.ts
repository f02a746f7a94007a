import type { ContentWarning, PageProblem } from '../contentWarnings.ts';
import type { PageFrontmatter, PageLayout, PageTag, Variable } from '../frontmatter/frontmatterFields.ts';

/** A regular file of a repository; `path` is from the repository's root, with `/`. */
export type TreeEntry = { path: string; oid: string; mode: string; sizeBytes?: number };

/** A repository as the reader of the format sees it. */
export type RepositoryFiles = {
  /** Every regular file by its path, without symbolic links and submodules. */
  entries: ReadonlyMap<string, TreeEntry>;
  /**
   * Reads many blobs at once, because over a network each call is a request. Omits blobs that are missing or
   * too large.
   */
  readBlobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
};

export type GitBlob = { oid: string; path: string };

/**
 * The result of scanning one Markdown file. Plain JSON that depends only on the file's bytes, so that it can
 * be stored by blob oid.
 */
export type PageFacts = {
  /** `pageFactsVersion` at the time of the scan. */
  version: number;
  /** The level 1 heading that is the first block, as plain text. */
  h1?: string;
  frontmatter?: PageFrontmatter;
  /**
   * Targets of links and images that may name a file of the repository, without escapes but percent-encoded.
   */
  targets?: string[];
  problems?: PageProblem[];
};

/**
 * The target of a link. Pages and files are named by their path in the repository, because the store assigns
 * ids.
 */
export type LinkTarget =
  | { kind: 'url'; url: string }
  | { kind: 'git-page'; path: string; anchor?: string }
  | { kind: 'git-file'; path: string }
  /** Another space by its id; `path` is the rest of the URL, which only that space can resolve. */
  | { kind: 'space'; space: string; path?: string };

export type CoverTarget = Extract<LinkTarget, { kind: 'url' | 'git-file' }>;

/** `yPos` is the vertical position, 0 by default; `heightPixels` is absent for the default height. */
export type PageCover = { ref?: CoverTarget; refDark?: CoverTarget; yPos: number; heightPixels?: number };

export type ComputedSource =
  | {
      type: 'builtin:openapi';
      props: { models: boolean; downloadLink?: boolean; grouping?: 'by-tag' | 'by-operation' };
      dependencies: { spec: { ref: { kind: 'openapi'; spec: string } } };
    }
  | {
      type: 'builtin:translation';
      props: Record<string, never>;
      dependencies: { translation: { ref: { kind: 'translation'; translation: string } } };
    };

export type ImportedDocument = {
  type: 'document';
  title: string;
  /** Short title for the navigation. */
  linkTitle?: string;
  slug: string;
  path: string;
  /** The path of its file below the content root, if that differs. */
  filePath?: string;
  /** Absent for an empty page without a file. */
  git?: GitBlob;
  emoji?: string;
  icon?: string;
  description?: string;
  hidden: boolean;
  noIndex: boolean;
  noRobotsIndex: boolean;
  layout: PageLayout;
  cover?: PageCover;
  variables?: Variable[];
  tags?: PageTag[];
  condition?: string;
  pages: ImportedChild[];
};

export type ImportedGroup = {
  type: 'group';
  title: string;
  slug: string;
  path: string;
  filePath?: string;
  pages: ImportedChild[];
};
export type ImportedLink = { type: 'link'; title: string; linkTitle?: string; target: LinkTarget };
export type ImportedComputed = { type: 'computed'; title: string; computed: ComputedSource };

export type ImportedChild = ImportedDocument | ImportedLink | ImportedComputed;
export type ImportedPage = ImportedGroup | ImportedChild;

export type ImportedFile = { name: string; git: GitBlob; sizeBytes?: number };
export type ImportedInclude = { title: string; git: GitBlob };

/**
 * A redirect of `.gitbook.yaml`: `from` without slashes around it, `to` as written, `page` the target page,
 * if any.
 */
export type Redirect = { from: string; to: string; page?: { path: string; anchor?: string } };

/**
 * Paths are from the repository's root; `root` and `projectDirectory` are empty for the repository itself.
 */
export type SpaceConfiguration = {
  projectDirectory: string;
  root: string;
  readme?: string;
  /** Absent when the navigation was inferred. */
  summary?: string;
  redirects: Redirect[];
  /** Blob of `.gitbook.yaml`. */
  configOid?: string;
};

/** The content of a space in a repository. */
export type SpaceContent = {
  configuration: SpaceConfiguration;
  pages: ImportedPage[];
  files: ImportedFile[];
  includes: ImportedInclude[];
  variables: Variable[];
  warnings: ContentWarning[];
};

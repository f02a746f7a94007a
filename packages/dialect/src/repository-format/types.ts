import type { ContentWarning, PageProblem } from '../contentWarnings.ts';
import type { PageFrontmatter, PageLayout, PageTag, Variable } from '../frontmatter/frontmatterFields.ts';

/** A regular file of a repository; `path` is from the repository's root, with `/`. */
export type TreeEntry = { path: string; oid: string; mode: string; sizeBytes?: number };

/** What the reader of the format sees of a repository. */
export type RepositoryFiles = {
  /** Every regular file by its path. Symbolic links and submodules are left out. */
  entries: ReadonlyMap<string, TreeEntry>;
  /** Reads many blobs at once, because over a network a call is a request. A blob that is missing or too large is absent from the answer. */
  readBlobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
};

export type GitBlob = { oid: string; path: string };

/** What scanning one Markdown file yields. Plain JSON that depends on the file's bytes only, so that it can be kept by blob oid. */
export type PageFacts = {
  /** `pageFactsVersion` at the time of the scan. */
  version: number;
  /** The heading of level 1 that is the first block, as plain text. */
  h1?: string;
  frontmatter?: PageFrontmatter;
  /** Targets of links and images that may name a file of the repository, escapes undone, percent-encoding kept. */
  targets?: string[];
  problems?: PageProblem[];
};

/** Where a link leads. Pages and files are named by their path in the repository: ids are given by the store. */
export type LinkTarget =
  | { kind: 'url'; url: string }
  | { kind: 'git-page'; path: string; anchor?: string }
  | { kind: 'git-file'; path: string }
  /** Another space by its id; `path` is what the URL said after it, which only that space can resolve. */
  | { kind: 'space'; space: string; path?: string };

export type CoverTarget = Extract<LinkTarget, { kind: 'url' | 'git-file' }>;

/** `yPos` is the vertical position, 0 by default; `heightPixels` is absent where the page has the usual height. */
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
  /** The path of its file below the content root, where it is another one. */
  filePath?: string;
  /** Absent for an empty page that no file stands for. */
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

export type ImportedGroup = { type: 'group'; title: string; slug: string; path: string; filePath?: string; pages: ImportedChild[] };
export type ImportedLink = { type: 'link'; title: string; linkTitle?: string; target: LinkTarget };
export type ImportedComputed = { type: 'computed'; title: string; computed: ComputedSource };

export type ImportedChild = ImportedDocument | ImportedLink | ImportedComputed;
export type ImportedPage = ImportedGroup | ImportedChild;

export type ImportedFile = { name: string; git: GitBlob; sizeBytes?: number };
export type ImportedInclude = { title: string; git: GitBlob };

/** A redirect of `.gitbook.yaml`: `from` without slashes around it, `to` as written, `page` the page that it leads to when there is one. */
export type Redirect = { from: string; to: string; page?: { path: string; anchor?: string } };

/** Paths are from the repository's root; `root` and `projectDirectory` are empty where they are the repository itself. */
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

/** The content of a space as a repository holds it. */
export type SpaceContent = {
  configuration: SpaceConfiguration;
  pages: ImportedPage[];
  files: ImportedFile[];
  includes: ImportedInclude[];
  variables: Variable[];
  warnings: ContentWarning[];
};

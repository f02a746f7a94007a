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

/** A pair and no property of an object, because a name may be `__proto__`. */
export type Variable = { name: string; value: string | number | boolean };

export type PageTag = { tag: string; primary?: true };

/** What frontmatter says of a page's layout; a member that is absent has its default. */
export type PageLayout = {
  preset?: 'docs' | 'editorial' | 'landing';
  width?: 'default' | 'wide';
  coverSize?: 'hero' | 'full' | 'background';
  coverMask?: 'none' | 'radial';
  cover?: boolean;
  title?: boolean;
  description?: boolean;
  tableOfContents?: boolean;
  outline?: boolean;
  pagination?: boolean;
  metadata?: boolean;
  tags?: boolean;
  actions?: boolean;
  anchors?: boolean;
};

/** The frontmatter keys that mean something here, checked. `cover` is as written: a path, seen from the page, or a URL. */
export type PageFrontmatter = {
  /** Names an include; a page has its title from the navigation. */
  title?: string;
  description?: string;
  icon?: string;
  /** Code points in hexadecimal, joined by `-`. */
  emoji?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  /** The key `if`: an expression that decides who sees the page. */
  condition?: string;
  tags?: PageTag[];
  variables?: Variable[];
  layout?: PageLayout;
  cover?: { light?: string; dark?: string };
  coverY?: number;
  coverHeight?: number;
};

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

export type PageProblem = { code: ContentWarningCode; message: string };

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

export type ContentWarningCode =
  | 'config_yaml'
  | 'config_value'
  | 'config_unknown'
  | 'config_structure'
  | 'config_redirect'
  | 'summary_empty'
  | 'summary_ignored'
  | 'summary_missing_file'
  | 'summary_outside'
  | 'summary_duplicate'
  | 'summary_anchor'
  | 'summary_children'
  | 'summary_computed'
  | 'summary_depth'
  | 'page_path'
  | 'page_depth'
  | 'page_size'
  | 'page_targets'
  | 'page_cover'
  | 'frontmatter_yaml'
  | 'frontmatter_value'
  | 'frontmatter_unknown'
  | 'variables_yaml'
  | 'variables_value';

/** Something that was left out or read differently than it may have been meant, for the job's log. `path` is a file of the repository. */
export type ContentWarning = { level: 'info' | 'warning'; code: ContentWarningCode; message: string; path?: string };

/** The content of a space as a repository holds it. */
export type SpaceContent = {
  configuration: SpaceConfiguration;
  pages: ImportedPage[];
  files: ImportedFile[];
  includes: ImportedInclude[];
  variables: Variable[];
  warnings: ContentWarning[];
};

/** Bounds that keep a hostile repository from costing more than its share. */
export type ContentLimits = {
  /** A page that is larger stays a page, but is not looked into. */
  scannedBytes: number;
  summaryBytes: number;
  /** Frontmatter and variables. */
  yamlBytes: number;
  /** `.gitbook.yaml`: real ones with a long history of redirects reach 90 KB. */
  configurationBytes: number;
  /** Levels of pages below each other; deeper ones move up to this level. */
  pageDepth: number;
  pages: number;
  /** Warnings of one kind; a last one counts the rest. */
  warningsPerCode: number;
};

export const contentLimits: ContentLimits = {
  scannedBytes: 2_000_000,
  summaryBytes: 2_000_000,
  yamlBytes: 64_000,
  configurationBytes: 512_000,
  pageDepth: 64,
  pages: 50_000,
  warningsPerCode: 200,
};

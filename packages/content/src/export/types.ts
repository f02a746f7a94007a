import type { TreeEntry } from '@bindery/dialect/repository-format';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { FileItem, GitLocation, PageTree, ReusableContentItem } from '../store/items.ts';

/** The content of a revision as an export receives it, with all of its pages. */
export type ExportedContent = {
  pages: readonly PageTree[];
  files: readonly FileItem[];
  reusableContents: readonly ReusableContentItem[];
  variables: readonly { name: string; value: string | number | boolean }[];
  redirects: readonly { from: string; to: string; page?: string; anchor?: string }[];
};

/** The repository to export to, at the head of the branch; without a branch it has no entries. */
export type ExportTarget = {
  /** Every regular file of the project directory, by its path from the repository's root. */
  entries: ReadonlyMap<string, TreeEntry>;
  /** Paths of symbolic links and submodules, which must not be overwritten. */
  occupied: readonly string[];
  /** The repository's folder for the space; empty for the whole repository. */
  projectDirectory: string;
  /** Reads blobs of the repository; omits those that are missing or too large. */
  readBlobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
};

/** The stored content that an export reads while it plans. */
export type ExportSources = {
  /** Sources of pages and reusable contents, by their hash. */
  documents(hashes: readonly string[]): Promise<ReadonlyMap<string, PageSource>>;
  /** The git blob id of each stored file, by the SHA-256 under which it is stored. */
  fileOids(blobs: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

/** The change of one path of the repository. `oid` is the git blob id. */
export type FileChange =
  | { kind: 'text'; path: string; oid: string; bytes: Uint8Array }
  /** A stored file; `blob` is the SHA-256 under which it is stored. */
  | { kind: 'file'; path: string; oid: string; blob: string }
  /** A blob of the repository, at a new path. */
  | { kind: 'copy'; path: string; oid: string }
  | { kind: 'remove'; path: string };

/** The git locations of objects after the export, by id. */
export type ExportedLocations = ReadonlyMap<string, GitLocation>;

/**
 * A document as its file states it, with paths of the repository as targets. `document` is the SHA-256 of
 * `bytes`, the whole file.
 */
export type RewrittenDocument = { document: string; bytes: Uint8Array };

export type ExportWarning = { level: 'info' | 'warning'; message: string; path?: string };

/** The effect of an export on a repository. Without changes there is nothing to commit. */
export type ExportPlan = {
  changes: readonly FileChange[];
  /** The locations of all pages with a file, all files and all reusable contents. */
  pages: ExportedLocations;
  files: ExportedLocations;
  reusableContents: ExportedLocations;
  /**
   * By id of the page or reusable content. A caller that stores the locations above must also store these
   * documents: in the old ones, relative targets lead to the old locations.
   */
  rewritten: ReadonlyMap<string, RewrittenDocument>;
  warnings: readonly ExportWarning[];
};

/** A page of the navigation as SUMMARY.md has to state it. Paths are from the repository's root. */
export type NavigationPage =
  | { kind: 'group'; title: string; pages: readonly NavigationPage[] }
  | {
      kind: 'page';
      file: string;
      title: string;
      linkTitle?: string;
      /** Whether the file begins with a heading equal to the title: only then may an entry omit its label. */
      hasHeading: boolean;
      pages: readonly NavigationPage[];
    }
  /** A page without a file. */
  | { kind: 'empty'; title: string; pages: readonly NavigationPage[] }
  | { kind: 'link'; title: string; linkTitle?: string; target: NavigationTarget }
  | { kind: 'computed'; title: string; computed: Extract<PageTree, { type: 'computed' }>['computed'] };

export type NavigationTarget = { kind: 'url'; url: string } | { kind: 'file'; path: string; anchor?: string };

import type { TreeEntry } from '@bindery/dialect/repository-format';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { FileItem, GitLocation, PageTree, ReusableContentItem } from '../store/items.ts';

/** Content as an export sees it: a revision's, with all of its pages. */
export type ExportedContent = {
  pages: readonly PageTree[];
  files: readonly FileItem[];
  reusableContents: readonly ReusableContentItem[];
  variables: readonly { name: string; value: string | number | boolean }[];
  redirects: readonly { from: string; to: string; page?: string; anchor?: string }[];
};

/** The repository that is written to, as it is at the head of the branch; without a branch it has no entries. */
export type ExportTarget = {
  /** Every regular file of the project directory by its path from the repository's root. */
  entries: ReadonlyMap<string, TreeEntry>;
  /** Paths of symbolic links and submodules: nothing may be written there. */
  occupied: readonly string[];
  /** Folder of the repository that holds the space; empty for the repository itself. */
  projectDirectory: string;
  /** Reads blobs of the repository; one that is missing or too large is absent from the answer. */
  readBlobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
};

/** What an export asks for while it plans. */
export type ExportSources = {
  /** Sources of pages and reusable contents, by their hash. */
  documents(hashes: readonly string[]): Promise<ReadonlyMap<string, PageSource>>;
  /** The git blob id of each stored file, by the SHA-256 under which it is stored. */
  fileOids(blobs: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

/** What becomes of one path of the repository. `oid` is the git blob id. */
export type FileChange =
  | { kind: 'text'; path: string; oid: string; bytes: Uint8Array }
  /** A stored file; `blob` is the SHA-256 under which it is stored. */
  | { kind: 'file'; path: string; oid: string; blob: string }
  /** A blob that the repository has already, at a new path. */
  | { kind: 'copy'; path: string; oid: string }
  | { kind: 'remove'; path: string };

/** Where something that has an id stands in the repository after the export. */
export type ExportedLocations = ReadonlyMap<string, GitLocation>;

/** A document whose file says something else: targets that are paths there. `document` is the SHA-256 of `bytes`, the whole file. */
export type RewrittenDocument = { document: string; bytes: Uint8Array };

export type ExportWarning = { level: 'info' | 'warning'; message: string; path?: string };

/** What an export does to a repository. Without changes there is nothing to commit. */
export type ExportPlan = {
  changes: readonly FileChange[];
  /** Of every page that has a file, every file, every reusable content. */
  pages: ExportedLocations;
  files: ExportedLocations;
  reusableContents: ExportedLocations;
  /**
   * By id of the page or reusable content. What takes the places above has to take these documents too: in the old ones, relative targets lead to
   * where things were.
   */
  rewritten: ReadonlyMap<string, RewrittenDocument>;
  warnings: readonly ExportWarning[];
};

/** A page of the navigation as SUMMARY.md has to say it. Paths are from the repository's root. */
export type NavigationPage =
  | { kind: 'group'; title: string; pages: readonly NavigationPage[] }
  | {
      kind: 'page';
      file: string;
      title: string;
      linkTitle?: string;
      /** Whether the file begins with a heading that says the title: only then an entry may do without a label. */
      hasHeading: boolean;
      pages: readonly NavigationPage[];
    }
  /** A page that no file stands for. */
  | { kind: 'empty'; title: string; pages: readonly NavigationPage[] }
  | { kind: 'link'; title: string; linkTitle?: string; target: NavigationTarget }
  | { kind: 'computed'; title: string; computed: Extract<PageTree, { type: 'computed' }>['computed'] };

export type NavigationTarget = { kind: 'url'; url: string } | { kind: 'file'; path: string; anchor?: string };

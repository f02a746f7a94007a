import type { OutboundSettings } from '@bindery/outbound';

import type { Commit } from '../git/objects/commit.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import type { UnrecordedPush } from './unrecordedPush.ts';
import type { PageFacts, PageFields, SpaceContent } from '@bindery/dialect/repository-format';
import type { SkippedEntry } from '../git/objects/tree.ts';

/** What to read, and what of it is stored already. Holds credentials: it goes to the reading process by its channel only. */
export type RepositoryRequest = {
  /** Without a login in it. */
  url: string;
  username?: string;
  password?: string;
  ref: string;
  /** Folder that holds the space, without slashes at its ends; empty for the whole repository. */
  projectDirectory: string;
  /** When the ref still points to this commit, nothing is fetched; and where it has this tree in the project directory, nothing is read. */
  known?: { commit: string; folder?: string };
  outbound: OutboundSettings;
  limits: GitLimits;
  /** An existing folder, in which the process gets one of its own; its owner removes it. */
  workFolder: string;
};

/** What need not be fetched: lines by blob oid, of pages and includes as `pageLine` writes them, of files whatever they hold. */
export type KnownBlobs = {
  pages: Uint8Array;
  files: Uint8Array;
  /** The reading that the present content of the space was made of, where there is one. */
  last?: LastReading;
};

/**
 * What a reading leaves for the next one, so that it sees whether only texts of pages have changed.
 *
 * `treeOid` is the folder that was read, `trees` are the objects of it and of all below (see `keepTrees`). `outline` has a line for each file
 * that the content is made of, by its path in JSON: `{label, linkTitle}` of a page, `null` of anything else.
 */
export type LastReading = { treeOid: string; trees: Uint8Array; outline: Uint8Array };

/** Name of the spool file in the process's own folder. */
export const spoolName = 'objects';

/** Where the bytes of a blob lie in the spool file; `sha256` is in hexadecimal. */
export type SpoolBlob = { offset: number; length: number; sha256: string };

export type RepositoryReading = UnchangedReading | WholeReading | RereadPages;

/** Nothing new; `isElsewhere` where the commit is new, and has the known tree in the project directory. */
export type UnchangedReading = { unchanged: true; commit: Pick<Commit, 'oid'>; isElsewhere?: true };

/** The content of a space. */
export type WholeReading = Read & {
  content: SpaceContent;
  /** Entries of the repository that are not imported, for the job's log. */
  skipped: SkippedEntry[];
};

/** The content of a space where nothing but the texts of some pages changed; warnings and what is skipped are those of the last reading. */
export type RereadPages = Read & {
  content?: never;
  pages: PageFields[];
};

type Read = {
  unchanged: false;
  commit: Commit;
  /** Facts of the pages and includes that were not known. */
  facts: [oid: string, facts: PageFacts][];
  /** The blobs of new pages, includes and files. The file holds other bytes too: read by the index only. */
  spool: { path: string; blobs: Map<string, SpoolBlob> };
  /** For the next reading; of pages that were read again only what is new. */
  last: LastReading;
};

export type ReadingStage = 'repo_fetch' | 'config_check' | 'content_process';

/** Points in a reading at which a test may break the process that asked for it. */
export type ReadingPoint = 'refs_read' | 'pack_indexed' | 'tree_read';

export type ReadingProgress = {
  onStage(stage: ReadingStage, done?: number, total?: number): void;
  onPoint(point: ReadingPoint): void;
  /** Asked for once it is clear that something must be fetched, while the server prepares its answer. */
  loadKnown(): Promise<KnownBlobs>;
  /** Whether the space knows a commit that says that it was made here: then there is nothing to read. */
  isUnrecordedPush(commit: UnrecordedPush): Promise<boolean>;
};

import type { OutboundSettings } from '@bindery/outbound';

import type { Commit } from '../git/objects/commit.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import type { BranchHistory, HistoryAsked } from './branchHistory.ts';
import type { UnrecordedPush } from './unrecordedPush.ts';
import type { PageFacts, PageFields, SpaceContent } from '@bindery/dialect/repository-format';
import type { SkippedEntry } from '../git/objects/tree.ts';

/**
 * The request of a reading, with the content already stored. Contains credentials, so it is sent to the
 * process only through its channel.
 */
export type RepositoryRequest = {
  /** Without a login. */
  url: string;
  username?: string;
  password?: string;
  ref: string;
  /** Folder of the space, without slashes at its ends; empty for the whole repository. */
  projectDirectory: string;
  /**
   * If the ref still points to this commit, nothing is fetched; if its project directory has this tree,
   * nothing is read.
   */
  known?: { commit: string; folder?: string };
  /** Absent if the history of the pages is not wanted. */
  history?: HistoryAsked;
  outbound: OutboundSettings;
  limits: GitLimits;
  /** An existing folder, in which the process gets one of its own; the caller removes it. */
  workFolder: string;
};

/**
 * Blobs that need not be fetched: lines by blob oid; for pages and includes as written by `pageLine`, for
 * files with any value.
 */
export type KnownBlobs = {
  pages: Uint8Array;
  files: Uint8Array;
  /** The reading from which the present content of the space was made, if any. */
  last?: LastReading;
};

/**
 * Data of a reading that lets the next one detect whether only texts of pages have changed.
 *
 * `treeOid` is the folder that was read, `trees` has the objects of it and of all folders below it (see
 * `keepTrees`). `outline` has a line for each file of the content, by its path in JSON: `{label, linkTitle}`
 * for a page, `null` for any other file.
 */
export type LastReading = { treeOid: string; trees: Uint8Array; outline: Uint8Array };

/** Name of the spool file in the process's own folder. */
export const spoolName = 'objects';

/** The range of a blob's bytes in the spool file; `sha256` is in hexadecimal. */
export type SpoolBlob = { offset: number; length: number; sha256: string };

export type RepositoryReading = UnchangedReading | WholeReading | RereadPages;

/** Nothing new. `isElsewhere` if the commit is new but has the known tree in the project directory. */
export type UnchangedReading = {
  unchanged: true;
  commit: Pick<Commit, 'oid'>;
  isElsewhere?: true;
  history?: BranchHistory | undefined;
};

/** The part of a reading that becomes the content of a space, with the place of its bytes. */
export type ReadContent = Pick<WholeReading, 'content' | 'facts' | 'spool'>;

/** The content of a space. */
export type WholeReading = Read & {
  content: SpaceContent;
  /** Entries of the repository that are not imported, for the job's log. */
  skipped: SkippedEntry[];
};

/**
 * A reading in which only the texts of some pages have changed; the warnings and skipped entries of the last
 * reading still hold.
 */
export type RereadPages = Read & {
  content?: never;
  pages: PageFields[];
};

type Read = {
  unchanged: false;
  commit: Commit;
  /** The root tree of the commit; and the trees above the folder that was read, the root first, as kept. */
  root: string;
  above: Uint8Array;
  /** Facts of the pages and includes that were unknown. */
  facts: [oid: string, facts: PageFacts][];
  /**
   * The blobs of new pages, includes and files. The file contains other bytes too: read it only through this
   * index.
   */
  spool: { path: string; blobs: Map<string, SpoolBlob> };
  /** For the next reading; after a partial reading, only the new parts. */
  last: LastReading;
  /** Absent if not wanted, or already known up to the commit. */
  history?: BranchHistory | undefined;
};

export type ReadingStage = 'repo_fetch' | 'config_check' | 'content_process';

/** Points in a reading at which a test may break the worker. */
export type ReadingPoint = 'refs_read' | 'pack_indexed' | 'tree_read';

export type ReadingProgress = {
  onStage(stage: ReadingStage, done?: number, total?: number): void;
  onPoint(point: ReadingPoint): void;
  /** Called once it is clear that something must be fetched, while the server prepares its answer. */
  loadKnown(): Promise<KnownBlobs>;
  /** Whether the space knows a commit whose message names one of its jobs: then there is nothing to read. */
  isUnrecordedPush(commit: UnrecordedPush): Promise<boolean>;
};

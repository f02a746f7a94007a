import type { GitExportChanges } from '@bindery/contract';
import type {
  EditedText,
  ExportedContent,
  ExportInput,
  ExportedLocations,
  ExportPlan,
  ExportSources,
  ExportWarning,
  FileChange,
  planTexts,
} from '@bindery/content/export';
import type { OutboundSettings } from '@bindery/outbound';
import type { BranchHistory, HistoryAsked } from './branchHistory.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import type { UnrecordedPush } from './unrecordedPush.ts';
import type { SkippedEntry } from '../git/objects/tree.ts';

/**
 * The content to export, and the last state in sync between the space and the branch: the commit, the tree of
 * the project directory, and the content with its places in the commit.
 */
export type ExportContents = {
  content: ExportedContent;
  synced?: { commit: string; folder?: string; content: ExportedContent };
};

/**
 * An export in which only texts of pages differ from the last state in sync: its commit, the root tree of
 * that, and its trees as kept.
 */
export type TextEdits = { commit: string; root: string; trees: Uint8Array; pages: EditedText[] };

/**
 * The trees of a commit from its root on, as kept: all of them, or those that an export of texts added.
 */
export type CommitTrees = { root: string; kept: Uint8Array; isWhole: boolean };

/** The request of an export. Contains credentials, so it is sent to the process only through its channel. */
export type ExportRequest = {
  /** Without a login. */
  url: string;
  username?: string;
  password?: string;
  /** A branch. */
  ref: string;
  /** Folder of the space, without slashes at its ends; empty for the whole repository. */
  projectDirectory: string;
  /**
   * Whether the content of a branch that has moved can be merged: it may then have more than the space, such
   * as a new file, even if the space has nothing to write.
   */
  canMerge: boolean;
  /** Allows writing on top of a head other than the commit of `synced`. */
  force: boolean;
  dryRun: boolean;
  /** `at`, in seconds since 1970, is both dates of the commit. `message` includes its trailer. */
  commit: { message: string; author: { name: string; email: string }; at: number };
  /** Absent if the history of the pages is not wanted. */
  history?: HistoryAsked;
  /** The commit that an earlier run of the same job was about to push. */
  earlier?: { commit: string; parent?: string };
  outbound: OutboundSettings;
  limits: GitLimits;
  /** An existing folder, in which the process gets one of its own; the caller removes it. */
  workFolder: string;
};

export type ExportStage = 'repo_fetch' | 'content_process' | 'push';

/** Points at which a test may break the worker. */
export type ExportPoint = 'refs_read' | 'trees_read' | 'tree_built' | 'committed' | 'pushed';

/** Name, in the work folder, of the only file that the worker writes for the process to read. */
export const lentSpool = 'files';

/** The git blob id and the byte range of a stored file in a file that the process can read. */
export type SpooledFile = { oid: string; offset: number; length: number };

/** The places of all items in the commit, by id. */
export type CommitLocations = {
  pages: ExportedLocations;
  files: ExportedLocations;
  reusableContents: ExportedLocations;
};

/** `rewritten` are the documents that belong to these places; see `ExportPlan`. */
export type Placed = { places: CommitLocations; rewritten: ExportPlan['rewritten'] };

/** Functions of the worker that the process calls; each answer is awaited. */
export type ExportAsks = {
  /** Undefined if more may have changed than texts, or the trees of the commit are not kept. */
  texts(): Promise<TextEdits | undefined>;
  /** Not a part of the request: they arrive while the git server answers the first requests. */
  contents(): Promise<ExportContents>;
  /** Reads sources of pages and reusable contents by their hash. */
  documents(hashes: string[]): ReturnType<ExportSources['documents']>;
  /** Writes the stored files into `spool`, named `lentSpool`, and returns their ranges. */
  files(blobs: string[]): Promise<{ spool: string; files: ReadonlyMap<string, SpooledFile> }>;
  /**
   * Finds the content in sync with the branch if this commit is its head; undefined if the space does not
   * know the commit.
   */
  unrecorded(push: UnrecordedPush): Promise<ExportedContent | undefined>;
  /** Records a commit before its push, which starts after the answer. */
  ready(commit: { commit: string; parent?: string; folder?: string } & Placed): Promise<void>;
};

/** The progress of a running export, and the functions that it calls. */
export type ExportProgress = ExportAsks & {
  onStage(stage: ExportStage, done?: number, total?: number): void;
  onPoint(point: ExportPoint): void;
};

/** Absent if there are none, or too many to keep. */
type Trees = { trees?: CommitTrees };
/** Plan the changes of an export: `planExport` and `planTexts` of the format. */
export type ExportPlans = {
  plan: (input: ExportInput) => Promise<ExportPlan>;
  planTexts: typeof planTexts;
};

type Remarks = { warnings: ExportWarning[]; skipped: SkippedEntry[] };
/** Absent if not wanted, or already known up to the commit. */
type Past = { history?: BranchHistory | undefined };

export type ExportOutcome =
  /** The repository already has the content; `head` is absent if neither a branch nor content exists. */
  | ({ kind: 'unchanged'; head?: string; folder?: string } & Placed & Remarks & Past & Trees)
  | ({ kind: 'pushed'; commit: string; changes: Pick<FileChange, 'kind' | 'path'>[] } & Remarks &
      Past &
      Trees)
  /** The branch already has the earlier run's commit. */
  | { kind: 'pushed-before'; commit: string }
  /**
   * Nothing was written: the branch is not at the commit last in sync, and both sides may have changes.
   * `message` names the commits; `head` is absent if the branch does not exist. `hasAll` if the branch
   * already has all content of the space.
   */
  | { kind: 'diverged'; head?: string; message: string; hasAll: boolean }
  /** A dry run: nothing was written. */
  | ({ kind: 'planned'; head?: string; changes: GitExportChanges } & Remarks);

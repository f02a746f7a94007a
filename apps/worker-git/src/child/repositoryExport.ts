import type { GitExportChanges } from '@bindery/contract';
import type { ExportedContent, ExportedLocations, ExportPlan, ExportSources, ExportWarning, FileChange } from '@bindery/content/export';
import type { OutboundSettings } from '@bindery/outbound';
import type { GitLimits } from '../git/gitLimits.ts';
import type { UnrecordedPush } from './unrecordedPush.ts';
import type { SkippedEntry } from '../git/objects/tree.ts';

/** What to write, and where. Holds credentials: it goes to the process by its channel only. */
export type ExportRequest = {
  /** Without a login in it. */
  url: string;
  username?: string;
  password?: string;
  /** A branch. */
  ref: string;
  /** Folder that holds the space, without slashes at its ends; empty for the whole repository. */
  projectDirectory: string;
  content: ExportedContent;
  /** What the space and the branch had in common last: the commit, the tree of the project directory, and the content with its places in it. */
  synced?: { commit: string; folder?: string; content: ExportedContent };
  /** Writes on top of a head that is not the one of `synced`. */
  force: boolean;
  dryRun: boolean;
  /** `at` in seconds since 1970: both dates of the commit. `message` with its trailer. */
  commit: { message: string; author: { name: string; email: string }; at: number };
  /** What an earlier run of the same job was about to push. */
  earlier?: { commit: string; parent?: string };
  outbound: OutboundSettings;
  limits: GitLimits;
  /** An existing folder, in which the process gets one of its own; its owner removes it. */
  workFolder: string;
};

export type ExportStage = 'repo_fetch' | 'content_process' | 'push';

/** Points at which a test may break the process that asked. */
export type ExportPoint = 'refs_read' | 'trees_read' | 'tree_built' | 'committed' | 'pushed';

/** Name, in the work folder, of the one file that the process reads and the other side writes. */
export const lentSpool = 'files';

/** Where a stored file's bytes lie in a file that the other side can read, and its git blob id. */
export type SpooledFile = { oid: string; offset: number; length: number };

/** Where everything stands in the repository once the commit is there, by id. */
export type CommitLocations = { pages: ExportedLocations; files: ExportedLocations; reusableContents: ExportedLocations };

/** `rewritten` are the documents that go with those places; see `ExportPlan`. */
export type Placed = { places: CommitLocations; rewritten: ExportPlan['rewritten'] };

/** What the process asks for; each answer is awaited. */
export type ExportAsks = {
  /** Sources of pages and reusable contents, by their hash. */
  documents(hashes: string[]): ReturnType<ExportSources['documents']>;
  /** Writes the stored files into `spool`, which is `lentSpool`, and says where. */
  files(blobs: string[]): Promise<{ spool: string; files: ReadonlyMap<string, SpooledFile> }>;
  /** What the space and the branch have in common when the head is this commit; undefined where the space does not know it. */
  unrecorded(push: UnrecordedPush): Promise<ExportedContent | undefined>;
  /** The commit is made and nothing is pushed yet: once this is answered, it is. */
  ready(commit: { commit: string; parent?: string; folder?: string } & Placed): Promise<void>;
};

/** What an export says while it runs, beside what it asks. */
export type ExportProgress = ExportAsks & {
  onStage(stage: ExportStage, done?: number, total?: number): void;
  onPoint(point: ExportPoint): void;
};

type Remarks = { warnings: ExportWarning[]; skipped: SkippedEntry[] };

export type ExportOutcome =
  /** The repository holds the content already; `head` is absent where there is no branch, and no content. */
  | ({ kind: 'unchanged'; head?: string; folder?: string } & Placed & Remarks)
  | ({ kind: 'pushed'; commit: string; changes: Pick<FileChange, 'kind' | 'path'>[] } & Remarks)
  /** The earlier run's commit is on the branch. */
  | { kind: 'pushed-before'; commit: string }
  /** A dry run: nothing was written. */
  | ({ kind: 'planned'; head?: string; changes: GitExportChanges } & Remarks);

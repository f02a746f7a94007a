import type { OutboundSettings } from '@bindery/outbound';

import type { Commit } from './commit.ts';
import type { GitLimits } from './gitLimits.ts';
import type { PageFacts, SpaceContent } from '@bindery/content/gitbook';
import type { SkippedEntry } from './tree.ts';

/** What to read, and what of it is stored already. Holds credentials: it goes to the reading process by its channel only. */
export type RepositoryRequest = {
  /** Without a login in it. */
  url: string;
  username?: string;
  password?: string;
  ref: string;
  /** Folder that holds the space, without slashes at its ends; empty for the whole repository. */
  projectDirectory: string;
  /** When the ref still points to this commit, nothing is fetched. */
  known?: { commit: string };
  outbound: OutboundSettings;
  limits: GitLimits;
  /** An existing folder for the spool file; its owner removes it. */
  workFolder: string;
};

/** What need not be fetched: pages by blob oid with what scanning them found, and files by blob oid. */
export type KnownBlobs = { facts: [oid: string, facts: PageFacts][]; fileOids: string[] };

/** Where the bytes of a blob lie in the spool file; `sha256` is in hexadecimal. */
export type SpoolBlob = { offset: number; length: number; sha256: string };

export type RepositoryReading =
  | { unchanged: true; commit: Pick<Commit, 'oid'> }
  | {
      unchanged: false;
      commit: Commit;
      content: SpaceContent;
      /** Facts of the pages and includes that were not known. */
      facts: [oid: string, facts: PageFacts][];
      /** Entries of the repository that are not imported, for the job's log. */
      skipped: SkippedEntry[];
      /** The blobs of new pages, includes and files. The file holds other bytes too: read by the index only. */
      spool: { path: string; blobs: Map<string, SpoolBlob> };
    };

export type ReadingStage = 'repo_fetch' | 'config_check' | 'content_process';

/** Points in a reading at which a test may break the process that asked for it. */
export type ReadingPoint = 'refs_read' | 'pack_indexed' | 'tree_read';

export type ReadingProgress = {
  onStage(stage: ReadingStage, done?: number, total?: number): void;
  onPoint(point: ReadingPoint): void;
  /** Asked for once it is clear that something must be fetched, while the server prepares its answer. */
  loadKnown(): Promise<KnownBlobs>;
};

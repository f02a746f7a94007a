import type { gitJobs, Processor, Run } from '@bindery/jobs';
import type { GitSyncPointRecord, RevisionRecord, SpaceRecord } from '@bindery/models';
import type { Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { RepositoryReader } from '../../child/repositoryReader.ts';

export type Import = Processor<typeof gitJobs.importRepository>;
export type ImportInput = Parameters<Import>[0];
export type ImportResult = Extract<Awaited<ReturnType<Import>>, { result: unknown }>['result'];
export type ImportParts = { config: Config; reader: RepositoryReader; blobs: BlobStore };

/** A running import, as shared by its stages. */
export type Importing = ImportParts & {
  input: ImportInput;
  run: Run;
  space: SpaceRecord;
  /** The revision that the space shows. */
  current: RevisionRecord;
  pointId: string;
  /** The last state in sync between the space and the branch. */
  point: GitSyncPointRecord | undefined;
  workFolder: string;
};

/** The content of a branch as a revision, the commit, and the tree of the project directory in it. */
export type ReadBranch = { revision: RevisionRecord; commit: string; folder: string };

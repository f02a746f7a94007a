import type { gitJobs, Processor } from '@bindery/jobs';
import type { RevisionRecord } from '@bindery/models';
import type { CommitTrees } from '../../child/repositoryExport.ts';
import type { KnownHistory } from '../pageHistory.ts';
import type { Syncing } from '../syncing.ts';

export type Import = Processor<typeof gitJobs.importRepository>;
export type ImportInput = Parameters<Import>[0];
export type ImportResult = Extract<Awaited<ReturnType<Import>>, { result: unknown }>['result'];

/** A running import, as shared by its stages. */
export type Importing = Syncing & {
  input: ImportInput;
  /** The revision that the space shows. */
  current: RevisionRecord;
  workFolder: string;
  /** The history of the pages before the import. */
  known: KnownHistory;
};

/** The content of a branch as a revision, the commit, and the tree of the project directory in it. */
export type ReadBranch = {
  revision: RevisionRecord;
  commit: string;
  folder: string;
  trees?: CommitTrees | undefined;
};

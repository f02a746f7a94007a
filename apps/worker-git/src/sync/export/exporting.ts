import type { gitJobs, Processor, Run } from '@bindery/jobs';
import type { GitSyncPointRecord, RevisionRecord, SpaceRecord } from '@bindery/models';
import type { Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { RepositoryReader } from '../../child/repositoryReader.ts';
import type { ExportMerge } from './pushCheckpoint.ts';
import type { Resumption } from './resumeExport.ts';

export type Export = Processor<typeof gitJobs.exportRepository>;
export type ExportInput = Parameters<Export>[0];
export type ExportResult = Extract<Awaited<ReturnType<Export>>, { result: unknown }>['result'];
export type ExportParts = { config: Config; reader: RepositoryReader; blobs: BlobStore };

/** A running export, as shared by its stages. */
export type Exporting = ExportParts & {
  input: ExportInput;
  run: Run;
  space: SpaceRecord;
  /** The exported revision. */
  exported: RevisionRecord;
  /** Set once the branch has turned out to have changes of its own: then its content is written. */
  merge?: ExportMerge;
  resumption: Resumption;
  pointId: string;
  point: GitSyncPointRecord | undefined;
};

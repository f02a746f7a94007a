import type { gitJobs, Processor } from '@bindery/jobs';
import type { RevisionRecord } from '@bindery/models';
import type { KnownHistory } from '../pageHistory.ts';
import type { Syncing } from '../syncing.ts';
import type { ExportMerge } from './pushCheckpoint.ts';
import type { Resumption } from './resumeExport.ts';

export type Export = Processor<typeof gitJobs.exportRepository>;
export type ExportInput = Parameters<Export>[0];
export type ExportResult = Extract<Awaited<ReturnType<Export>>, { result: unknown }>['result'];

/** A running export, as shared by its stages. */
export type Exporting = Syncing & {
  input: ExportInput;
  /** The exported revision. */
  exported: RevisionRecord;
  /** Set once the branch has turned out to have changes of its own: then its content is written. */
  merge?: ExportMerge;
  resumption: Resumption;
  /** The history of the pages before the export. */
  known: KnownHistory;
};

import type { ClientSession, JobLogLine, JobRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import type { z } from 'zod';
import type { JobDefinition } from '../definitions/defineJob.ts';

/** What a processor is given besides its input. Everything it tells goes through here and is fenced by the run's epoch. */
export type Run = {
  job: JobRecord;
  /** Aborts on cancel, deadline, lost lease and shutdown: pass it to everything that waits. */
  signal: AbortSignal;
  logger: Logger;
  /** Where the run is; written at most four times a second. */
  progress(stage: string, done?: number, total?: number): void;
  /** A line of the job's log, for the user: no secret, no text that a remote server chose. */
  log(level: JobLogLine['level'], message: string, path?: string): void;
  stats(values: Record<string, number>): void;
  /** Keeps what a later run can go on from (`job.checkpoint`). Throws when this run no longer holds the job. */
  checkpoint(value: unknown): Promise<void>;
};

/**
 * What a processor gives back. Its `publish` and the job's success are one transaction: both happen or none.
 *
 * The transaction is short: what takes longer than a few writes belongs before it. `prepare` is where that depends on what others change meanwhile. It
 * comes before each `publish`, and again when one throws `ContentMoved`.
 */
export type Outcome<Result> =
  | {
      state?: 'succeeded';
      result: Result;
      prepare?: () => Promise<void>;
      publish?: (session: ClientSession) => Promise<void>;
    }
  | { state: 'superseded'; message: string };

/** Thrown by `publish` when a newer event has overtaken this one: nothing is published and the job is superseded. */
export class Superseded extends Error {}

/**
 * Does the work of one job. It may run twice, or die half-way: it looks at what is already done, writes with a condition,
 * and lets `publish` be the one write that others see.
 */
export type Processor<Definition> =
  Definition extends JobDefinition<infer Input, infer Result>
    ? (input: z.output<Input>, run: Run) => Promise<Outcome<z.input<Result>>>
    : never;

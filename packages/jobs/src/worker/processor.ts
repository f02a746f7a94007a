import type { ClientSession, JobLogLine, JobRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import type { z } from 'zod';
import type { JobDefinition } from '../definitions/defineJob.ts';

/** A processor's access to its job. All its writes go through here and are fenced by the run's epoch. */
export type Run = {
  job: JobRecord;
  /** Aborts on cancel, deadline, lost lease and shutdown: pass it to everything that waits. */
  signal: AbortSignal;
  logger: Logger;
  /** Reports the present step; written at most four times a second. */
  progress(stage: string, done?: number, total?: number): void;
  /** Adds a line to the job's log, for the user: no secret, no text that a remote server chose. */
  log(level: JobLogLine['level'], message: string, path?: string): void;
  stats(values: Record<string, number>): void;
  /**
   * Saves a state from which a later run can continue (`job.checkpoint`). Throws when this run no longer
   * holds the job.
   */
  checkpoint(value: unknown): Promise<void>;
};

/**
 * A processor's result. Its `publish` and the job's success are one transaction.
 *
 * The transaction must be short: anything longer than a few writes belongs before it, in `prepare` if it
 * depends on concurrent changes. `prepare` runs before each `publish`, and again when `publish` throws
 * `ContentMoved`.
 */
export type Outcome<Result> =
  | {
      state?: 'succeeded';
      result: Result;
      prepare?: () => Promise<void>;
      publish?: (session: ClientSession) => Promise<void>;
    }
  | { state: 'superseded'; message: string };

/**
 * Thrown by `publish` when a newer event has overtaken this one: nothing is published and the job is
 * superseded.
 */
export class Superseded extends Error {}

/**
 * Does the work of one job. It may run twice, or die half-way: it checks which steps are done, writes
 * conditionally, and makes `publish` the only write that others see.
 */
export type Processor<Definition> =
  Definition extends JobDefinition<infer Input, infer Result>
    ? (input: z.output<Input>, run: Run) => Promise<Outcome<z.input<Result>>>
    : never;

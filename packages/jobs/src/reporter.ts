import type { JobLogLine, JobRecord } from '@bindery/models';
import { writeReport, type Report } from './transitions.ts';

const intervalMs = 250;

/** Collects what a run tells and writes it in few, fenced writes. */
export type Reporter = {
  progress(stage: string, done?: number, total?: number): void;
  log(level: JobLogLine['level'], message: string, path?: string): void;
  stats(values: Record<string, number>): void;
  /** Waits for the write under way and makes no further one. */
  stop(): Promise<void>;
  /** What was told and not written yet, for the run's last write. */
  take(): Report;
};

/** @param onLost  called when a write finds that the run no longer holds the job */
export function createReporter(job: JobRecord, { onLost }: { onLost(): void }): Reporter {
  let report: Report = { log: [] };
  let stats: Record<string, number> = job.stats;
  let isEmpty = true;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const take = () => {
    const taken = report;
    report = { log: [] };
    isEmpty = true;
    return taken;
  };
  const write = async () => {
    timer = undefined;
    if (isEmpty || isStopped) return;
    const taken = take();
    // A report that MongoDB did not take is not worth a failed job; the next one brings the present state.
    const isHeld = await writeReport(job._id, job.epoch, taken).catch(() => true);
    if (!isHeld) onLost();
  };
  const schedule = () => {
    isEmpty = false;
    if (isStopped || timer) return;
    timer = setTimeout(() => {
      writing = write();
    }, intervalMs);
  };
  return {
    progress(stage, done, total) {
      report.progress = { stage, ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
      schedule();
    },
    log(level, message, path) {
      report.log.push({ at: new Date(), level, message, ...(path !== undefined && { path }) });
      schedule();
    },
    stats(values) {
      stats = { ...stats, ...values };
      report.stats = stats;
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await writing;
    },
    take,
  };
}

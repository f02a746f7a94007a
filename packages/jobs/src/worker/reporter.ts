import { databaseNow, type JobRecord } from '@bindery/models';
import { maxLogLines, type Report } from '../queue/pipeline.ts';
import type { Run } from './processor.ts';
import { writeReport, type LastReport } from '../state/transitions.ts';

const intervalMs = 250;
/** Limits of a processor's log lines, which keep a block of lines below MongoDB's document size limit. */
const maxMessageLength = 1_000;
const maxPathLength = 500;

/** Collects a run's reports and writes them in few, fenced writes. */
export type Reporter = Pick<Run, 'progress' | 'log' | 'stats'> & {
  /**
   * Waits for the write under way, writes the remaining log lines, which must be readable once the job has
   * ended, and then writes nothing more.
   *
   * @returns the other unwritten reports, for the run's last write
   */
  stop(): Promise<LastReport>;
};

/** @param onLost  called when a write finds that the run no longer holds the job */
export function createReporter(job: JobRecord, { onLost }: { onLost(): void }): Reporter {
  let report: Report = { log: [], logDropped: 0 };
  let stats: Record<string, number> = job.stats;
  let isEmpty = true;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const take = () => {
    const taken = report;
    report = { log: [], logDropped: 0 };
    isEmpty = true;
    return withinLimit(taken);
  };
  const write = async () => {
    timer = undefined;
    if (isEmpty) return;
    const taken = take();
    try {
      if (!(await writeReport(job._id, job.epoch, taken))) onLost();
    } catch {
      // A report that MongoDB refused does not fail the job; it is added to the next one.
      report = {
        ...taken,
        ...report,
        log: [...taken.log, ...report.log],
        logDropped: taken.logDropped + report.logDropped,
      };
      schedule();
    }
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
      report.progress = { stage, done, total };
      schedule();
    },
    log(level, message, path) {
      report.log.push({
        at: databaseNow(),
        level,
        message: cut(message, maxMessageLength),
        path: path === undefined ? undefined : cut(path, maxPathLength),
      });
      if (report.log.length > 2 * maxLogLines) report = withinLimit(report);
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
      if (report.log.length > 0) await write();
      return take();
    },
  };
}

/** Keeps the newest lines, up to the limit. */
function withinLimit(report: Report): Report {
  const tooMany = report.log.length - maxLogLines;
  return tooMany > 0
    ? { ...report, log: report.log.slice(tooMany), logDropped: report.logDropped + tooMany }
    : report;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 20;

/**
 * Prints the slowest files at the end of a run, with their start, work and waiting times, and the sums of
 * all.
 */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(timesOf).toSorted((a, b) => b.totalMs - a.totalMs);
    if (rows.length < 2) return;
    const projects = [...new Set(rows.map(({ project }) => project))];
    const sums = [
      ...projects.map((project) =>
        sumOf(
          rows.filter((row) => row.project === project),
          `of ${project}`,
        ),
      ),
      sumOf(rows, 'in all'),
    ];
    console.log(
      `\nThe ${Math.min(shown, rows.length)} slowest files, in seconds. Start: loading the file. Work: processor time of its tests and of the`,
    );
    console.log('processes that they started and that have ended, without the stores. Wait: the rest.');
    console.log('   total   start    work    wait');
    for (const row of [...rows.slice(0, shown), ...sums]) console.log(lineOf(row));
  }
}

type FileTimes = {
  name: string;
  project: string;
  totalMs: number;
  startMs: number;
  workMs: number;
  waitMs: number;
};

function timesOf(module: TestModule): FileTimes {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } =
    module.diagnostic();
  const startMs = environmentSetupDuration + prepareDuration + setupDuration + collectDuration;
  const workMs = module.meta().processorMs ?? 0;
  return {
    name: relative(process.cwd(), module.moduleId),
    project: module.project.name,
    totalMs: startMs + duration,
    startMs,
    workMs,
    // Concurrent processes take more processor time than has elapsed.
    waitMs: Math.max(0, duration - workMs),
  };
}

function sumOf(rows: readonly FileTimes[], which: string): FileTimes {
  const sum = (key: 'totalMs' | 'startMs' | 'workMs' | 'waitMs') =>
    rows.reduce((all, row) => all + row[key], 0);
  const name = `${rows.length} files ${which}`;
  return {
    name,
    project: '',
    totalMs: sum('totalMs'),
    startMs: sum('startMs'),
    workMs: sum('workMs'),
    waitMs: sum('waitMs'),
  };
}

function lineOf({ name, totalMs, startMs, workMs, waitMs }: FileTimes): string {
  return `${[totalMs, startMs, workMs, waitMs].map((ms) => (ms / 1_000).toFixed(1).padStart(8)).join('')}  ${name}`;
}

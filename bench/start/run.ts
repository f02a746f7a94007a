import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { threadRestMs } from '@bindery/runtime/threads';
import { readRunFile } from '../../apps/cli/src/launcher/data-folder/runFile.ts';
import { commandOf, numbersOf, processIds } from '../../test/support/processes/procfs.ts';
import { budgetRow, writeReport, type Row } from '../support/figures.ts';
import { pssOf } from '../support/pssOf.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const startLimitMs = 180_000;
/** The demo is imported and indexed first, and the rest of the threads begins with their last work. */
const untilRestMs = threadRestMs + 120_000;

type Memory = { name: string; megabytes: number };

/** Starts a new installation with its demo, and measures its start and its memory at rest. */
async function measure(): Promise<{ readySeconds: number; processes: Memory[] }> {
  const data = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  const beganMs = performance.now();
  // As `npm start` does.
  const command = ['scripts/bootstrap.sh', 'apps/cli/src/main.ts', 'up', '--data', data, '--port', '0'];
  const launcher = spawn('sh', command, { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    while (!readRunFile(data)) {
      if (launcher.exitCode !== null || performance.now() - beganMs > startLimitMs)
        throw new Error('Bindery did not start.');
      await delay(20);
    }
    const readySeconds = (performance.now() - beganMs) / 1_000;
    console.error(`ready; waiting for ${untilRestMs / 60_000} minutes until it is at rest`);
    await delay(untilRestMs);
    return { readySeconds, processes: memoryOf(launcher.pid ?? 0) };
  } finally {
    if (launcher.exitCode === null) {
      launcher.kill('SIGINT');
      await once(launcher, 'exit');
    }
    await rm(data, { recursive: true, force: true });
  }
}

function memoryOf(root: number): Memory[] {
  const parents = new Map(processIds().map((pid) => [pid, numbersOf(pid)?.parent]));
  const isBelow = (pid: number): boolean => {
    if (pid === root) return true;
    const parent = parents.get(pid);
    return parent !== undefined && parent > 1 && isBelow(parent);
  };
  return [...parents.keys()]
    .filter(isBelow)
    .map((pid) => ({ name: nameIn(commandOf(pid)), megabytes: pssOf(pid) }));
}

/** A short name for a command line: the app, or the program. */
function nameIn(command: string): string {
  const [, app] = /\/apps\/([\w-]+)\/src\/(?:main|child)/.exec(command) ?? [];
  if (app) return command.includes('/child/') ? `${app}, its child` : app;
  if (/chrom/i.test(command)) return 'Chromium';
  if (/apertium|lt-proc|lrx-proc/.test(command)) return 'Apertium';
  return command.split(' ')[0]?.split('/').at(-1) ?? '';
}

const { readySeconds, processes } = await measure();
const sum = (chosen: readonly Memory[]) => chosen.reduce((all, { megabytes }) => all + megabytes, 0);
const browser = processes.filter(({ name }) => name === 'Chromium');
const rows: Row[] = [
  budgetRow('start, until everything is ready', { ours: readySeconds, budget: 10, unit: 's' }),
  budgetRow('memory of all processes at rest, without Chromium', {
    ...{ ours: sum(processes) - sum(browser), budget: 900, unit: 'MB' },
  }),
];
const byName = Object.entries(Object.groupBy(processes, ({ name }) => name))
  .map(([name, those = []]) => ({ name, megabytes: sum(those) }))
  .filter(({ megabytes }) => megabytes >= 1)
  .toSorted((a, b) => b.megabytes - a.megabytes);
await writeReport('start.md', {
  title: 'Starts, and memory at rest',
  intro:
    '`npm start` with its demo, in an empty folder and with everything installed; the reference is the budget. Memory is proportional (PSS), of the stores and all processes.',
  rows,
  notes: [
    `At rest, in MB: ${byName.map(({ name, megabytes }) => `${name} ${Math.round(megabytes)}`).join(', ')}.`,
    `Threads end after ${threadRestMs / 60_000} minutes without work; the next work starts them again.`,
  ],
});

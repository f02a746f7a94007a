import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';
import { identityOf, isRunning } from '@bindery/runtime';
import { readRunFile } from './data-folder/runFile.ts';

const patienceMs = 30_000;

/**
 * Waits until the stores of a killed launcher have ended: they end by themselves, but not as fast as a user
 * can start the next launcher, and two programs on one data folder would damage it.
 */
export async function awaitLeftovers(folder: string): Promise<void> {
  const pids = Object.values(readRunFile(folder)?.pids ?? {}).flat();
  const left = pids.filter((pid) => hasOpen(pid, folder)).map(identityOf);
  const untilMs = Date.now() + patienceMs;
  for (const process of left) {
    while (isRunning(process)) {
      if (Date.now() > untilMs) {
        throw new Refusal(`Process ${process.pid} of an earlier run still has the data in ${folder} open.`, [
          `End it (\`kill ${process.pid}\`) and try again.`,
        ]);
      }
      await delay(20);
    }
  }
}

/**
 * Process numbers are reused, so only a process whose command line names the folder counts. Works only on
 * Linux; elsewhere the store itself refuses to start twice.
 */
function hasOpen(pid: number, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`);
  } catch {
    return false;
  }
}

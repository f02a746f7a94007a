import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Tests that measure how long the platform takes when a process dies, freezes or is told to stop. */
const timed =
  /^test\/(e2e\/(bootstrap|launcher|launcherFailures|npmStart|workerKills)|faults\/(cancel|chaos|clocks|dispatch|exportCancel|exportFrozen|exportKill|exportRedis|kill|mongo|mongoElection|mongoFailures|mongoFrozen|redis|redisMemory|redisSentinel|shutdown|soak)|hostile\/\w+)\.test\.ts$/;

/** Whether a file measures times: it may run beside other files, but not beside another timed one. */
export function isTimed(path: string): boolean {
  return timed.test(relative(process.cwd(), path));
}

/**
 * Waits until no other test process of this run measures times.
 *
 * @returns a function that ends the turn
 */
export async function takeTurn(): Promise<() => void> {
  // All test processes of a run are children of one process.
  const file = join(tmpdir(), `bindery-timed-${process.ppid}`);
  while (!take(file)) await delay(100);
  return () => rmSync(file, { force: true });
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

/** A killed test process leaves its file. */
function isHeld(file: string): boolean {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    return holder !== process.pid && process.kill(holder, 0);
  } catch {
    return false;
  }
}

/** Whether a file is in one of these folders of the project. */
export function isIn(folders: readonly string[], file: string): boolean {
  const path = relative(process.cwd(), file);
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { firstKillerUid, type OwnUser } from './isolation.ts';

const script = fileURLToPath(new URL('endUser.pl', import.meta.url));
const options = { cwd: '/', env: {}, stdio: 'ignore', timeout: 5_000, killSignal: 'SIGKILL' } as const;

/** The command that kills what a user runs, without the user. */
export function killerCommand({ perl, firstUid }: OwnUser): { command: string; script: string; first: string } {
  return { command: perl, script, first: String(firstKillerUid(firstUid)) };
}

/** Kills what a user runs. @returns whether that was done; what is killed may need a moment to end */
export async function killUser(uid: number, isolation: OwnUser): Promise<boolean> {
  const { command, first } = killerCommand(isolation);
  return new Promise((resolve) => {
    const killer = spawn(command, [script, String(uid), first], options);
    killer.once('error', () => resolve(false));
    killer.once('exit', (code) => resolve(code === 0));
  });
}

/** As `killUser`, for a process that is about to exit. */
export function killUserAtExit(uid: number, isolation: OwnUser): void {
  const { command, first } = killerCommand(isolation);
  spawnSync(command, [script, String(uid), first], options);
}

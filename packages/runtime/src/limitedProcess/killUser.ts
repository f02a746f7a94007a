import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { firstKillerUid, type OwnUser } from './isolation.ts';

const script = fileURLToPath(new URL('endUser.pl', import.meta.url));
const options = { cwd: '/', env: {}, stdio: 'ignore', timeout: 5_000, killSignal: 'SIGKILL' } as const;

/** The program and its arguments, except the last one, the user. */
export function killerCommand({ perl, firstUid }: OwnUser): [program: string, script: string, first: string] {
  return [perl, script, String(firstKillerUid(firstUid))];
}

/**
 * Kills all processes of a user. @returns whether the signals were sent; the processes may take a moment to
 * end
 */
export async function killUser(uid: number, isolation: OwnUser): Promise<boolean> {
  const [program, ...args] = killerCommand(isolation);
  return new Promise((resolve) => {
    const killer = spawn(program, [...args, String(uid)], options);
    killer.once('error', () => resolve(false));
    killer.once('exit', (code) => resolve(code === 0));
  });
}

/** Like `killUser`, for a process that is about to exit. */
export function killUserAtExit(uid: number, isolation: OwnUser): void {
  const [program, ...args] = killerCommand(isolation);
  spawnSync(program, [...args, String(uid)], options);
}

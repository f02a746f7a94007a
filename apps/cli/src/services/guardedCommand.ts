import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Command = { command: string; args: string[]; needsChannel: boolean };

/**
 * Returns a command that runs a store and ends it with the launcher, even if that is killed: by the kernel's
 * parent-death signal if `setpriv` can set it, else by a small guard process that watches its channel to the
 * launcher.
 */
export async function guardedCommand(
  binary: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Command> {
  if (await hasParentDeathSignal(environment)) {
    return { command: 'setpriv', args: ['--pdeathsig', 'TERM', '--', binary, ...args], needsChannel: false };
  }
  return {
    command: process.execPath,
    args: [join(import.meta.dirname, 'guard.ts'), binary, ...args],
    needsChannel: true,
  };
}

export async function hasParentDeathSignal(environment: NodeJS.ProcessEnv): Promise<boolean> {
  return promisify(execFile)('setpriv', ['--pdeathsig', 'TERM', '--', 'true'], { env: environment }).then(
    () => true,
    () => false,
  );
}

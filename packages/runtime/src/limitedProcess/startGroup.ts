import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { GroupOptions } from './work.ts';

/**
 * Starts a program behind a gate: a shell that waits for a line before it executes the program, until the
 * worker has recorded the group. If this process dies first, the gate sees the end of its pipe and exits.
 */
export async function startGroup(
  command: string,
  args: readonly string[],
  {
    announce,
    stdio = ['ignore', 'ignore', 'ignore'],
    cwd,
    env = {},
  }: GroupOptions & { announce(pid: number): Promise<unknown> },
): Promise<ChildProcess> {
  const gate = Math.max(stdio.length, 3);
  const padded = Array.from({ length: gate }, (_, index) => stdio[index] ?? 'ignore');
  const child = spawn(
    '/bin/sh',
    ['-c', `read -r _ <&${gate} && exec "$@" ${gate}<&-`, 'sh', command, ...args],
    {
      // In a group of its own.
      detached: true,
      stdio: [...padded, 'pipe'],
      env,
      cwd,
    },
  );
  await once(child, 'spawn');
  await announce(child.pid!);
  const opener = child.stdio[gate] as NodeJS.WritableStream;
  opener.on('error', () => {});
  opener.end('\n');
  return child;
}

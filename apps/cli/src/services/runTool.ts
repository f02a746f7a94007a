import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Surroundings } from './service.ts';

/** The context of an installation: the machine, how to announce each step, and when to give up. */
export type Tools = { surroundings: Surroundings; say: (line: string) => void; signal?: AbortSignal };

/** Runs a tool to its end; its last output becomes the error. Kills it when the launcher is told to stop. */
export function runTool(
  command: string,
  args: readonly string[],
  { surroundings, signal }: Pick<Tools, 'surroundings' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: surroundings.environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = `${words}${chunk.toString()}`.slice(-2_000)));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `${basename(command)} ${args.slice(0, 3).join(' ')} failed: ${words.trim().split('\n').slice(-2).join(' ') || `exit code ${code}`}`,
          ),
        );
    });
  });
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A child process of a benchmark; `ask` sends it a message and waits for the answer. */
export type Program = {
  pid: number;
  /** Its first message, which reports that it is ready. */
  ready: unknown;
  ask<Answer>(message: unknown): Promise<Answer>;
  stop(): Promise<void>;
};

/**
 * Starts a benchmark file in a child process and waits until it reports that it is ready.
 *
 * @param nodeOptions  default: those of this process
 */
export async function startProgram(
  file: URL,
  environment: Record<string, string>,
  nodeOptions: readonly string[] = process.execArgv,
): Promise<Program> {
  const child: ChildProcess = fork(file, {
    env: { ...process.env, ...environment },
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(child, 'message')) as [unknown];
  return {
    pid: child.pid ?? 0,
    ready,
    ask: async <Answer>(message: unknown) => {
      const answer = once(child, 'message');
      child.send(message as object);
      return (await answer)[0] as Answer;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

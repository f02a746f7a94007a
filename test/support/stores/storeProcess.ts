import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { surroundings } from '../../../apps/cli/src/launcher/startStores.ts';
import type { Program } from '../../../apps/cli/src/program.ts';
import { provideService } from '../../../apps/cli/src/services/provideService.ts';
import type { FoundBinary } from '../../../apps/cli/src/services/resolveService.ts';
import type { Service } from '../../../apps/cli/src/services/service.ts';
import { freezeProcess } from '../processes/frozenProcess.ts';

/** The server of a store that a test starts, kills and freezes. */
export type StoreProcess = {
  /** Starts it and waits until it is ready; does nothing while it runs. */
  start(): Promise<void>;
  /** SIGKILL, also while it is frozen. */
  kill(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): void;
};

/** Returns the environment without the stores of the test run, so that a test starts its own. */
export function environmentOfOwnStores(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  return environment;
}

/** Finds, or installs, the server that the whole test run uses. */
export async function provideStore(service: Service, folder: string): Promise<FoundBinary> {
  const provided = await provideService(service, {
    surroundings: surroundings(environmentOfOwnStores()),
    say: () => {},
    folder,
  });
  if (provided.kind === 'url') throw new Error(`${service.title} of a test has no URL from outside.`);
  return provided;
}

/** Returns a server that is not started yet. */
export function storeProcess({
  name,
  command,
  args,
  environment,
  hasChannel,
  isReadyLine,
}: Pick<Program, 'name' | 'command' | 'args' | 'environment' | 'hasChannel' | 'isReadyLine'>): StoreProcess {
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    start: async () => {
      if (isRunning()) return;
      const started = spawn(command, args, {
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore', ...(hasChannel ? ['ipc' as const] : [])],
      });
      child = started;
      const lines: string[] = [];
      for await (const line of createInterface({ input: started.stdout! })) {
        lines.push(line);
        if (!isReadyLine?.(line)) continue;
        // Drained, so that its pipe does not fill up.
        started.stdout?.resume();
        return;
      }
      throw new Error(`${name} does not start:\n${lines.join('\n')}`);
    },
    kill: async () => {
      if (!child || !isRunning()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    freeze: async () => child && freezeProcess(child),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

import type { TestProject } from 'vitest/node';
import { keepPrograms, failureText, type Run } from '../../apps/cli/src/launcher/run.ts';
import { startStores } from '../../apps/cli/src/launcher/startStores.ts';
import { createTemporaryFolder, removeFolder } from '../../apps/cli/src/launcher/temporaryFolder.ts';
import { Refusal } from '../../apps/cli/src/refusal.ts';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';

/** More than there will be test workers. */
const redisDatabases = 65;

declare module 'vitest' {
  interface ProvidedContext {
    mongodbOrigin: string;
    redisOrigin: string;
  }
}

/**
 * Starts the stores for one run of the tests, from the same places as `npm start` does, and ends them.
 *
 * Those that a run left behind because it was killed have ended by themselves (they are bound to their parent's life); their folders are swept here.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const failure = new AbortController();
  const undo = new AsyncDisposableStack();
  const say = (line: string) => console.log(`stores: ${line}`);
  const programs = keepPrograms({
    say,
    isTerminal: true,
    onChange: () => {},
    onFailed: (problem) => {
      console.error(failureText(problem));
      failure.abort(problem);
    },
  });
  const run: Run = { environment: await storeEnvironment(), signal: failure.signal, say, undo, keep: programs.keep };
  try {
    const folder = await createTemporaryFolder('bindery-tests-');
    undo.defer(() => removeFolder(folder));
    const { mongodbUri, redisUrl } = await startStores(run, { folder, isEphemeral: true, redisDatabases });
    project.provide('mongodbOrigin', mongodbUri);
    project.provide('redisOrigin', redisUrl);
  } catch (error) {
    await undo.disposeAsync();
    throw error instanceof Refusal ? new Error(error.text, { cause: error }) : error;
  }
  return () => undo.disposeAsync();
}

/** Never the stores that the environment names for real use: tests empty what they are given. */
async function storeEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  if (environment.BINDERY_TEST_REDIS !== 'redis') return environment;
  const binary = await findOnPath('redis-server', environment.PATH);
  if (!binary) throw new Error('BINDERY_TEST_REDIS=redis needs redis-server on PATH (Debian: `apt-get install redis-server`).');
  return { ...environment, REDIS_SERVER_BINARY: binary };
}

import { keepPrograms, failureText, type Run } from '../../apps/cli/src/launcher/run.ts';
import { startStores } from '../../apps/cli/src/launcher/startStores.ts';
import { createTemporaryFolder, removeFolder } from '../../apps/cli/src/launcher/temporaryFolder.ts';

/**
 * Stores for one benchmark, from the same places as `npm start` has them: journal on, AOF every second, data thrown away at the end.
 *
 * @returns their URLs, and what ends them
 */
export async function startBenchStores(): Promise<{ mongodbUri: string; redisUrl: string; stop: () => Promise<void> }> {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  const undo = new AsyncDisposableStack();
  const failure = new AbortController();
  const say = (line: string) => console.error(line);
  const { keep } = keepPrograms({
    say,
    isTerminal: false,
    onChange: () => {},
    onFailed: (problem) => {
      say(failureText(problem));
      failure.abort(problem);
    },
  });
  const run: Run = { environment, signal: failure.signal, say, undo, keep };
  const folder = await createTemporaryFolder('bindery-bench-');
  undo.defer(() => removeFolder(folder));
  const { mongodbUri, redisUrl } = await startStores(run, { folder, isEphemeral: true });
  return { mongodbUri, redisUrl, stop: () => undo.disposeAsync() };
}

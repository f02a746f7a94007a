import { keepPrograms, failureText, type Run } from '../../../apps/cli/src/launcher/run.ts';
import { startStores } from '../../../apps/cli/src/launcher/startStores.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';

/**
 * Starts stores for one run of tests or of a benchmark, from the same sources as `npm start`; their data is
 * deleted at the end.
 *
 * @returns their URLs, and a function that ends them
 */
export async function startThrowAwayStores({
  environment,
  prefix,
  say,
  redisDatabases,
}: {
  environment: NodeJS.ProcessEnv;
  prefix: string;
  say: (line: string) => void;
  redisDatabases?: number;
}): Promise<{ mongodbUri: string; redisUrl: string; stop: () => Promise<void> }> {
  const failure = new AbortController();
  const undo = new AsyncDisposableStack();
  const programs = keepPrograms({
    say,
    isTerminal: true,
    onChange: () => {},
    onFailed: (problem) => {
      console.error(failureText(problem));
      failure.abort(problem);
    },
  });
  const run: Run = { environment, signal: failure.signal, say, undo, keep: programs.keep };
  try {
    const folder = await createTemporaryFolder(prefix);
    undo.defer(() => removeFolder(folder));
    const { mongodbUri, redisUrl } = await startStores(run, {
      folder,
      isEphemeral: true,
      ...(redisDatabases && { redisDatabases }),
    });
    return { mongodbUri, redisUrl, stop: () => undo.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { surroundings } from '../../../apps/cli/src/launcher/startStores.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { mongodb } from '../../../apps/cli/src/services/mongodb.ts';
import { planMongod } from '../../../apps/cli/src/services/mongod.ts';
import { provideService } from '../../../apps/cli/src/services/provideService.ts';
import { ensureReplicaSet, ownMongodbUri } from '../../../apps/cli/src/services/replicaSet.ts';
import { removeSocket } from '../../../apps/cli/src/services/storeSocket.ts';
import { endSharedApi } from '../apiServer.ts';

/** A MongoDB of the test's own, which can be frozen. */
export type OwnMongo = { uri: string; freeze(): void; thaw(): void; close(): Promise<void> };

/** Starts a MongoDB. Call it before this process has connected to one. */
export async function startOwnMongo(): Promise<OwnMongo> {
  await endSharedApi();
  const { MONGODB_URI: _shared, ...environment } = process.env;
  const folder = await createTemporaryFolder('bindery-test-mongod-');
  const provided = await provideService(mongodb, {
    surroundings: surroundings(environment),
    say: () => {},
    folder,
  });
  if (provided.kind === 'url') throw new Error('A MongoDB of our own has no URL from outside.');
  const { program, socket } = await planMongod(provided, { folder, environment });
  const child = spawn(program.command, program.args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore', ...(program.hasChannel ? ['ipc' as const] : [])],
  });
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await removeSocket(socket);
    await removeFolder(folder);
  };
  try {
    for await (const line of createInterface({ input: child.stdout! }))
      if (program.isReadyLine?.(line)) break;
    // Drained, so that its pipe does not fill up.
    child.stdout?.resume();
    await ensureReplicaSet(socket);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    uri: ownMongodbUri(socket),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    close,
  };
}

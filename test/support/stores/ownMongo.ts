import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { mongodb } from '../../../apps/cli/src/services/mongodb.ts';
import { planMongod } from '../../../apps/cli/src/services/mongod.ts';
import { ensureReplicaSet, ownMongodbUri } from '../../../apps/cli/src/services/replicaSet.ts';
import { removeSocket } from '../../../apps/cli/src/services/storeSocket.ts';
import { endSharedApi } from '../apiServer.ts';
import { environmentOfOwnStores, provideStore, storeProcess } from './storeProcess.ts';

/** A MongoDB of the test's own, which can be frozen. */
export type OwnMongo = { uri: string; freeze(): Promise<void>; thaw(): void; close(): Promise<void> };

/**
 * Starts a MongoDB. Call it before this process has connected to one.
 *
 * @param parameters  more server parameters, such as `enableTestCommands=1`
 */
export async function startOwnMongo({
  parameters = [],
}: { parameters?: readonly string[] } = {}): Promise<OwnMongo> {
  await endSharedApi();
  const folder = await createTemporaryFolder('bindery-test-mongod-');
  const environment = environmentOfOwnStores();
  const { program, socket } = await planMongod(await provideStore(mongodb, folder), { folder, environment });
  const more = parameters.flatMap((parameter) => ['--setParameter', parameter]);
  const { start, kill, freeze, thaw } = storeProcess({ ...program, args: [...program.args, ...more] });
  const close = async () => {
    await kill();
    await removeSocket(socket);
    await removeFolder(folder);
  };
  try {
    await start();
    await ensureReplicaSet(socket);
  } catch (error) {
    await close();
    throw error;
  }
  return { uri: ownMongodbUri(socket), freeze, thaw, close };
}

import { MongoClient, type Document } from 'mongodb';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { mongodb } from '../../../apps/cli/src/services/mongodb.ts';
import { planMongod } from '../../../apps/cli/src/services/mongod.ts';
import { setName } from '../../../apps/cli/src/services/replicaSet.ts';
import type { FoundBinary } from '../../../apps/cli/src/services/resolveService.ts';
import { removeSocket } from '../../../apps/cli/src/services/storeSocket.ts';
import { endSharedApi } from '../apiServer.ts';
import { until } from '../until.ts';
import { environmentOfOwnStores, provideStore, storeProcess, type StoreProcess } from './storeProcess.ts';

/** A replica set of three nodes with MongoDB's own settings, whose primary can be killed or replaced. */
export type OwnReplicaSet = {
  uri: string;
  /** Has the primary step down for that long; another node is elected. */
  stepDown(seconds: number): Promise<void>;
  /** SIGKILL. */
  killPrimary(): Promise<void>;
  /** Starts the node again that was killed, and waits until all nodes follow one primary. */
  restartKilled(): Promise<void>;
  close(): Promise<void>;
};

type Member = StoreProcess & { host: string; remove(): Promise<void> };

/** Starts the set on loopback. Call it before this process has connected to a MongoDB. */
export async function startOwnReplicaSet(): Promise<OwnReplicaSet> {
  await endSharedApi();
  const folder = await createTemporaryFolder('bindery-test-set-');
  const binary = await provideStore(mongodb, folder);
  const members: Member[] = [];
  const close = async () => {
    for (const { kill, remove } of members) {
      await kill();
      await remove();
    }
    await removeFolder(folder);
  };
  const findPrimary = () =>
    until(
      'primary',
      async () => {
        for (const member of members) {
          const hello = await command(member, { hello: 1 }).catch(() => undefined);
          if (hello?.['isWritablePrimary']) return member;
        }
      },
      { timeoutMs: 30_000 },
    );
  const untilWhole = async () => {
    await until(
      'set of one primary and two secondaries',
      async () => {
        const status = await command(await findPrimary(), { replSetGetStatus: 1 }).catch(() => undefined);
        const states = (status?.['members'] as { stateStr: string }[] | undefined)?.map(
          ({ stateStr }) => stateStr,
        );
        return states?.toSorted().join() === 'PRIMARY,SECONDARY,SECONDARY';
      },
      { timeoutMs: 60_000, everyMs: 100 },
    );
  };
  try {
    for (let index = 0; index < 3; index += 1) members.push(await startMember(binary));
    const hosts = members.map(({ host }, _id) => ({ _id, host }));
    await command(members[0]!, { replSetInitiate: { _id: setName, members: hosts } });
    await untilWhole();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    uri: `mongodb://${members.map(({ host }) => host).join(',')}/bindery?replicaSet=${setName}`,
    stepDown: async (seconds) => {
      await command(await findPrimary(), { replSetStepDown: seconds });
    },
    killPrimary: async () => {
      await (await findPrimary()).kill();
    },
    restartKilled: async () => {
      for (const { start } of members) await start();
      await untilWhole();
    },
    close,
  };
}

/** Starts a node that listens on a port of loopback, besides its socket. */
async function startMember(binary: FoundBinary): Promise<Member> {
  const folder = await createTemporaryFolder('bindery-test-node-');
  const environment = environmentOfOwnStores();
  const { program, socket } = await planMongod(binary, { folder, environment });
  const port = await freePort();
  const args = program.args.map((arg) => (arg === socket ? `${socket},127.0.0.1` : arg));
  const node = storeProcess({ ...program, args: [...args, '--port', String(port)] });
  await node.start();
  const remove = async () => {
    await removeSocket(socket);
    await removeFolder(folder);
  };
  return { ...node, host: `127.0.0.1:${port}`, remove };
}

/** Runs a command on one node, whatever its state. */
async function command({ host }: Pick<Member, 'host'>, document: Document): Promise<Document> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
  });
  try {
    return await client.db('admin').command(document);
  } finally {
    await client.close();
  }
}

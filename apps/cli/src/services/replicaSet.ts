import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';

/** Name of the set, also on mongod's command line. */
export const setName = 'bindery';

const electionMs = 30_000;

/** The connection string of the launcher's own MongoDB. */
export function ownMongodbUri(port: number, database = 'bindery'): string {
  return `mongodb://127.0.0.1:${port}/${database}?replicaSet=${setName}`;
}

/** Makes the mongod on that port a replica set of one node, which transactions and change streams need, and waits until it takes writes. */
export async function ensureReplicaSet(port: number): Promise<void> {
  await withNode(port, 'admin', async () => {
    try {
      await mongoDatabase().command({ replSetInitiate: { _id: setName, members: [{ _id: 0, host: hostOf(port) }] } });
    } catch (error) {
      if (!(error instanceof Error && 'codeName' in error && error.codeName === 'AlreadyInitialized')) throw error;
    }
    const untilMs = Date.now() + electionMs;
    while ((await mongoDatabase().command({ hello: 1 })).isWritablePrimary !== true) {
      if (Date.now() > untilMs) throw new Error(`MongoDB on port ${port} did not become primary within ${electionMs / 1000} s.`);
      await delay(10);
    }
  });
}

/**
 * Tells the data of a set of one node that the node is on another port now. The mongod on that port must run outside of any set.
 *
 * Not by a forced `replSetReconfig`: before it takes that, a node asks the address of its old configuration whether that is itself, and
 * waits half a minute where a program has the port that accepts connections and says nothing.
 */
export async function moveMember(port: number): Promise<void> {
  await withNode(port, 'local', async () => {
    await mongoDatabase()
      .collection('system.replset')
      .updateOne({}, { $set: { 'members.0.host': hostOf(port) } });
  });
}

function hostOf(port: number): string {
  return `127.0.0.1:${port}`;
}

/** Directly: a node that is in no set yet, or not yet primary, cannot be found through its set. */
async function withNode(port: number, database: string, work: () => Promise<void>): Promise<void> {
  await connectMongo({ mongo: { uri: `mongodb://${hostOf(port)}/${database}?directConnection=true` } });
  try {
    await work();
  } finally {
    await disconnectMongo();
  }
}

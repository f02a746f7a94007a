import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';

/** Name of the set, also on mongod's command line. */
export const setName = 'bindery';

const electionMs = 30_000;

/** The connection string of the launcher's own MongoDB. */
export function ownMongodbUri(socket: string, database = 'bindery'): string {
  return `mongodb://${encodeURIComponent(socket)}/${database}?replicaSet=${setName}`;
}

/** Makes the mongod on that socket a replica set of one node, which transactions and change streams need, and waits until it takes writes. */
export async function ensureReplicaSet(socket: string): Promise<void> {
  await withNode(socket, 'admin', async () => {
    try {
      await mongoDatabase().command({ replSetInitiate: { _id: setName, members: [{ _id: 0, host: socket }] } });
    } catch (error) {
      if (!(error instanceof Error && 'codeName' in error && error.codeName === 'AlreadyInitialized')) throw error;
    }
    const untilMs = Date.now() + electionMs;
    while ((await mongoDatabase().command({ hello: 1 })).isWritablePrimary !== true) {
      if (Date.now() > untilMs) throw new Error(`MongoDB on ${socket} did not become primary within ${electionMs / 1000} s.`);
      await delay(10);
    }
  });
}

/**
 * Tells the data of a set of one node that the node is on this socket now: before, it was below another folder, or on a port in an earlier version.
 * The mongod there must run outside of any set.
 *
 * Not by a forced `replSetReconfig`: before it takes that, a node asks the address of its old configuration whether that is itself, and
 * waits half a minute where that is a port that another program has, which accepts connections and says nothing.
 */
export async function moveMember(socket: string): Promise<void> {
  await withNode(socket, 'local', async () => {
    await mongoDatabase()
      .collection('system.replset')
      .updateOne({}, { $set: { 'members.0.host': socket } });
  });
}

/** Directly: a node that is in no set yet, or not yet primary, cannot be found through its set. */
async function withNode(socket: string, database: string, work: () => Promise<void>): Promise<void> {
  await connectMongo({ mongo: { uri: `mongodb://${encodeURIComponent(socket)}/${database}?directConnection=true` } });
  try {
    await work();
  } finally {
    await disconnectMongo();
  }
}

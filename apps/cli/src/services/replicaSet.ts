import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';

/** Name of the replica set, also on mongod's command line. */
export const setName = 'bindery';

const electionMs = 30_000;

/** Returns the connection string of the launcher's own MongoDB. */
export function ownMongodbUri(socket: string, database = 'bindery'): string {
  return `mongodb://${encodeURIComponent(socket)}/${database}?replicaSet=${setName}`;
}

/**
 * Makes the mongod on that socket a replica set of one node, which transactions and change streams need, and
 * waits until it accepts writes.
 */
export async function ensureReplicaSet(socket: string): Promise<void> {
  await withNode(socket, 'admin', async () => {
    try {
      await mongoDatabase().command({
        replSetInitiate: { _id: setName, members: [{ _id: 0, host: socket }] },
      });
    } catch (error) {
      if (!(error instanceof Error && 'codeName' in error && error.codeName === 'AlreadyInitialized'))
        throw error;
    }
    const untilMs = Date.now() + electionMs;
    while ((await mongoDatabase().command({ hello: 1 })).isWritablePrimary !== true) {
      if (Date.now() > untilMs)
        throw new Error(`MongoDB on ${socket} did not become primary within ${electionMs / 1000} s.`);
      await delay(10);
    }
  });
}

/**
 * Changes the node's address in the data of a one-node replica set to this socket; before, it was below
 * another folder, or in an earlier version on a port. The mongod must run outside of any replica set.
 *
 * Not by a forced `replSetReconfig`: a node first asks the address of its old configuration whether that is
 * itself, and waits half a minute if another program has the port, accepts connections and does not answer.
 */
export async function moveMember(socket: string): Promise<void> {
  await withNode(socket, 'local', async () => {
    await mongoDatabase()
      .collection('system.replset')
      .updateOne({}, { $set: { 'members.0.host': socket } });
  });
}

/**
 * Connects directly: a node that is not in a replica set yet, or not yet primary, cannot be found through it.
 */
async function withNode(socket: string, database: string, work: () => Promise<void>): Promise<void> {
  await connectMongo({
    mongo: { uri: `mongodb://${encodeURIComponent(socket)}/${database}?directConnection=true` },
  });
  try {
    await work();
  } finally {
    await disconnectMongo();
  }
}

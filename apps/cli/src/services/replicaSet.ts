import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';

const setName = 'bindery';
const electionMs = 30_000;

/** The connection string of the launcher's own MongoDB. */
export function ownMongodbUri(port: number, database = 'bindery'): string {
  return `mongodb://127.0.0.1:${port}/${database}?replicaSet=${setName}`;
}

/**
 * Makes the mongod on that port a replica set of one node, which transactions and change streams need, and waits until it takes writes.
 * Data that was made on another port has no primary until its configuration names the new one.
 */
export async function ensureReplicaSet(port: number): Promise<void> {
  // Directly: a node that is in no set yet, or in one under another port, cannot be found through the set.
  await connectMongo({ mongo: { uri: `mongodb://127.0.0.1:${port}/?directConnection=true` } });
  try {
    const member = `127.0.0.1:${port}`;
    const host = await configuredHost();
    if (host === undefined) await admin({ replSetInitiate: { _id: setName, members: [{ _id: 0, host: member }] } });
    else if (host !== member) await moveMember(member);
    const untilMs = Date.now() + electionMs;
    while ((await admin({ hello: 1 })).isWritablePrimary !== true) {
      if (Date.now() > untilMs) throw new Error(`MongoDB on port ${port} did not become primary within ${electionMs / 1000} s.`);
      await delay(10);
    }
  } finally {
    await disconnectMongo();
  }
}

/** The address in the set's configuration; undefined while there is none. */
async function configuredHost(): Promise<string | undefined> {
  try {
    return (await currentConfig()).members[0]?.host;
  } catch (error) {
    if (error instanceof Error && 'codeName' in error && error.codeName === 'NotYetInitialized') return undefined;
    throw error;
  }
}

async function moveMember(host: string): Promise<void> {
  const config = await currentConfig();
  const members = config.members.slice(0, 1).map((member) => ({ ...member, host }));
  // By force, because there is no primary that could agree.
  await admin({ replSetReconfig: { ...config, members, version: config.version + 1 }, force: true });
}

type SetConfig = { version: number; members: { host: string }[] };

async function currentConfig(): Promise<SetConfig> {
  return (await admin({ replSetGetConfig: 1 })).config as SetConfig;
}

function admin(command: Record<string, unknown>): Promise<Record<string, unknown>> {
  return mongoDatabase().admin().command(command);
}

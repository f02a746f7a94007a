import { mongoDatabase } from '@bindery/models';
import { BSON, type Document, type Timestamp } from 'mongodb';

/** Does `work` and returns the bytes of all that this process's database had to replicate meanwhile. */
export async function oplogDuring(work: () => Promise<void>): Promise<number> {
  const startedAt = await oplogPosition();
  await work();
  let bytes = 0;
  for (const entry of await entriesSince(startedAt)) bytes += BSON.calculateObjectSize(entry);
  return bytes;
}

/** The place of the newest write of the whole MongoDB in its log of writes. */
export async function oplogPosition(): Promise<Timestamp> {
  const { operationTime } = await mongoDatabase().command({ ping: 1 });
  return operationTime as Timestamp;
}

/**
 * Every write to this process's database behind a place of the log, as `<collection> <id>: <the write>`: also one that was taken back again.
 *
 * Says as much as two copies of all records would, and costs as little as there was written.
 * Left out are writes that also a request leaves behind that changes nothing.
 */
export async function writesSince(position: Timestamp): Promise<string[]> {
  const { databaseName } = mongoDatabase();
  const entries = await entriesSince(position);
  return entries
    .flatMap((entry): Document[] => entry.o.applyOps ?? [entry])
    .filter(({ ns }) => ns.startsWith(`${databaseName}.`))
    .map((entry) => ({ ...entry, collection: entry.ns.slice(databaseName.length + 1) }) as Document)
    .filter((entry) => !traces.has(entry.collection) && !isPassing(entry))
    .map(({ op, o, o2, collection }) => `${collection} ${String((o2 ?? o)._id)}: ${operations[op] ?? op} ${BSON.EJSON.stringify(o)}`);
}

async function entriesSince(position: Timestamp): Promise<Document[]> {
  const { databaseName, client } = mongoDatabase();
  const ofDatabase = { $regex: `^${databaseName}\\.` };
  return (
    client
      .db('local')
      .collection('oplog.rs')
      // Transactions are one entry for all that they write. Read is also what is not on the disk yet.
      .find<Document>(
        { ts: { $gt: position }, $or: [{ ns: ofDatabase }, { 'o.applyOps.ns': ofDatabase }] },
        { readConcern: { level: 'local' } },
      )
      .toArray()
  );
}

/** Whether an update writes only what says when something was last locked, dispatched or used. */
function isPassing({ op, o }: Document): boolean {
  if (op !== 'u' || !o.diff) return false;
  const { i = {}, u = {}, d = {}, ...nested } = o.diff as Record<string, Document>;
  // A nested change is named `s<field>`.
  const fields = [i, u, d].flatMap(Object.keys).concat(Object.keys(nested).map((name) => name.slice(1)));
  return fields.every((field) => passing.has(field));
}

const passing = new Set(['treeVersion', 'structureVersion', 'dispatchedAt', 'lastUsedAt']);

/** Collections of records that requests leave behind and that belong to no object. */
const traces = new Set(['idempotencyKeys']);

const operations: Record<string, string> = { i: 'insert', u: 'update', d: 'delete', c: 'command' };

import { mongoDatabase } from '@bindery/models';
import { BSON, type Document, type Timestamp } from 'mongodb';

/** Runs `work` and returns the number of bytes that this process's database replicated during it. */
export async function oplogDuring(work: () => Promise<void>): Promise<number> {
  const startedAt = await oplogPosition();
  await work();
  let bytes = 0;
  for (const entry of await entriesSince(startedAt)) bytes += BSON.calculateObjectSize(entry);
  return bytes;
}

/** Returns the position of MongoDB's newest write in the oplog. */
export async function oplogPosition(): Promise<Timestamp> {
  const { operationTime } = await mongoDatabase().command({ ping: 1 });
  return operationTime as Timestamp;
}

/**
 * Returns all writes to this process's database after a position in the oplog, as `<collection> <id>: <the
 * write>`, including writes undone later.
 *
 * As strict as comparing two copies of all records, at a cost that depends only on the number of writes.
 * Excludes writes that even a request without changes makes.
 */
export async function writesSince(position: Timestamp): Promise<string[]> {
  const { databaseName } = mongoDatabase();
  const entries = await entriesSince(position);
  return entries
    .flatMap((entry): Document[] => entry.o.applyOps ?? [entry])
    .filter(({ ns }) => ns.startsWith(`${databaseName}.`))
    .map((entry) => ({ ...entry, collection: entry.ns.slice(databaseName.length + 1) }) as Document)
    .filter((entry) => !traces.has(entry.collection) && !isPassing(entry))
    .map(
      ({ op, o, o2, collection }) =>
        `${collection} ${String((o2 ?? o)._id)}: ${operations[op] ?? op} ${BSON.EJSON.stringify(o)}`,
    );
}

async function entriesSince(position: Timestamp): Promise<Document[]> {
  const { databaseName, client } = mongoDatabase();
  const ofDatabase = { $regex: `^${databaseName}\\.` };
  return (
    client
      .db('local')
      .collection('oplog.rs')
      // A transaction is one entry for all its writes. The read includes entries not yet on disk.
      .find<Document>(
        { ts: { $gt: position }, $or: [{ ns: ofDatabase }, { 'o.applyOps.ns': ofDatabase }] },
        { readConcern: { level: 'local' } },
      )
      .toArray()
  );
}

/** Whether an update writes only the time of the last lock, dispatch or use. */
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

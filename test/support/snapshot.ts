import { mongoDatabase } from '@bindery/models';
import { BSON } from 'mongodb';

/** Every record, or every one that names one of these texts anywhere: by collection and id, as text. */
export type Snapshot = Readonly<Record<string, string>>;

/** Of the whole database; records that requests leave behind and that belong to no object are not in it. */
export async function takeSnapshot(naming?: readonly string[]): Promise<Snapshot> {
  const names = (await mongoDatabase().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const snapshot: Record<string, string> = {};
  const add = async (name: string) => {
    for (const record of await mongoDatabase().collection(name).find().toArray()) {
      const text = BSON.EJSON.stringify(Object.fromEntries(Object.entries(record).filter(([field]) => !passing.has(field))));
      if (!naming || naming.some((part) => text.includes(part))) snapshot[`${name} ${String(record._id)}`] = text;
    }
  };
  // Together: most of the time goes into waiting for sixty answers.
  await Promise.all(names.filter((name) => !traces.has(name)).map(add));
  return snapshot;
}

/** What was added, removed or changed between two snapshots, in words. */
export function changesBetween(before: Snapshot, after: Snapshot): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key])
    .toSorted()
    .map((key) => `${key}: ${before[key] ?? 'absent'} -> ${after[key] ?? 'absent'}`);
}

/** Fields that also a request writes that changes nothing: locks, when the dispatcher of jobs came round, when a token was last used. */
const passing = new Set(['treeVersion', 'structureVersion', 'dispatchedAt', 'lastUsedAt']);

const traces = new Set(['idempotencyKeys']);

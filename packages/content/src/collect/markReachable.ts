import { setImmediate } from 'node:timers/promises';
import { ContentNode, mongoDatabase, type ContentNodeRecord } from '@bindery/models';
import { contentKey } from '../store/nodes.ts';
import { createHashSet, shareOf, type HashSet } from './hashSet.ts';
import { contentOfNode, nodeFields, roots, textsAt, type ContentKind, type Root } from './roots.ts';

const recordsAtOnce = 100;
const nodesAtOnce = 200;
/**
 * A node may list thousands of pages: replies contain few nodes, and after `turnMs` of reading, the process
 * yields to other work.
 */
const nodesInReply = 10;
const turnMs = 10;

/** Stored content, and the record that it was reached from. */
export type Reached = { kind: ContentKind; name: string; from: string; mayBeGone?: true };

/** The reachable items of an organization, by kind. */
export type Marks = Readonly<Record<ContentKind, HashSet>>;

/** Share `index` of `of` of all documents and blobs: limits the marks of a large organization in memory. */
export type Share = { index: number; of: number };

export function isInShare({ kind, name }: Pick<Reached, 'kind' | 'name'>, { index, of }: Share): boolean {
  // Nodes belong to the first share. Their marks are always complete, because the walk needs them to visit
  // each node once.
  return kind === 'node' ? index === 0 : of === 1 || shareOf(name, of) === index;
}

/**
 * Walks from all roots of an organization to all content that they refer to. Reads each node once, and only
 * its hashes.
 *
 * @param onReached  gets documents and blobs of the share, each once, in batches that may be empty
 * @param onMissing  gets nodes that are not stored
 */
export async function markReachable(
  organization: string,
  {
    share,
    signal,
    onReached = async () => {},
    onMissing,
  }: {
    share: Share;
    signal: AbortSignal;
    onReached?: (batch: Reached[]) => Promise<void>;
    onMissing: (missing: Reached) => void;
  },
): Promise<Marks> {
  const marks = { node: createHashSet(), document: createHashSet(), blob: createHashSet() };
  const nodes: Reached[] = [];
  let leaves: Reached[] = [];
  const reach = (reached: Reached) => {
    if (reached.kind !== 'node' && !isInShare(reached, share)) return;
    if (marks[reached.kind].add(reached.name)) (reached.kind === 'node' ? nodes : leaves).push(reached);
  };
  const descend = async () => {
    while (nodes.length > 0) {
      signal.throwIfAborted();
      const batch = new Map(nodes.splice(-nodesAtOnce).map((node) => [node.name, node]));
      for await (const { name, items } of readNodes(organization, [...batch.keys()])) {
        const node = batch.get(name);
        if (!node) continue;
        batch.delete(name);
        for (const { kind, name: below } of contentOfNode(items)) reach({ ...node, kind, name: below });
      }
      for (const node of batch.values()) if (!node.mayBeGone) onMissing(node);
      await handOn();
    }
  };
  const handOn = async () => {
    const batch = leaves;
    leaves = [];
    await onReached(batch);
  };
  for await (const root of rootsOf(organization)) {
    reach(root);
    if (nodes.length >= nodesAtOnce) await descend();
  }
  await descend();
  await handOn();
  return marks;
}

/** Yields roots that may be gone last: an item that another root needs too is then reported as missing. */
async function* rootsOf(organization: string): AsyncIterable<Reached> {
  for await (const ids of idsOf('spaces', organization))
    yield* rootsBy('space', { space: { $in: ids } }, organization);
  for await (const ids of idsOf('openapiSpecs', organization))
    yield* rootsBy('spec', { spec: { $in: ids } }, organization);
  yield* rootsBy('organization', { organization }, organization);
}

/** Includes deleted records: they keep their content while they can be restored. */
async function* idsOf(collection: 'spaces' | 'openapiSpecs', organization: string): AsyncIterable<string[]> {
  for (let after = ''; ;) {
    const found = await mongoDatabase()
      .collection<{ _id: string; organization: string }>(collection)
      .find({ organization, _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(recordsAtOnce)
      .toArray();
    const last = found.at(-1);
    if (!last) return;
    yield found.map(({ _id }) => _id);
    after = last._id;
  }
}

async function* rootsBy(by: Root['of'], filter: object, organization: string): AsyncIterable<Reached> {
  for (const { collection, only, owner, fields, mayBeGone } of roots.filter(({ of }) => of === by)) {
    const projection = Object.fromEntries(Object.keys(fields).map((field) => [field, 1]));
    const wanted = { ...filter, ...only, ...(owner !== undefined && { [owner]: organization }) };
    for await (const record of mongoDatabase()
      .collection(collection)
      .find(wanted, { projection, batchSize: recordsAtOnce })) {
      const from = `${collection} ${String(record._id)}`;
      for (const [field, kind] of Object.entries(fields))
        for (const name of textsAt(record, field)) yield { kind, name, from, mayBeGone };
    }
  }
}

async function* readNodes(
  organization: string,
  hashes: readonly string[],
): AsyncIterable<{ name: string; items: unknown[] }> {
  const projection = Object.fromEntries(Object.keys(nodeFields).map((field) => [`items.${field}`, 1]));
  const records = mongoDatabase()
    .collection<ContentNodeRecord>(ContentNode.collection.collectionName)
    .find(
      { _id: { $in: hashes.map((hash) => contentKey(organization, hash)) } },
      { projection, batchSize: nodesInReply },
    );
  let turnEndsMs = performance.now() + turnMs;
  for await (const { _id, items } of records) {
    yield { name: _id.slice(organization.length + 1), items };
    if (performance.now() < turnEndsMs) continue;
    await setImmediate();
    turnEndsMs = performance.now() + turnMs;
  }
}

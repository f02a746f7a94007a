import { JobError } from '@bindery/contract';
import { ContentNode, isDuplicateKey, type ContentNodeRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { hashOfJson } from './hash.ts';
import { storedNodes } from './storedContent.ts';

/** MongoDB's limit for a record is 16 MB; a list that comes near it is not a navigation any more. */
const maxNodeBytes = 14 * 1024 * 1024;
const cacheBytes = 64 * 1024 * 1024;
const perQuery = 500;

/** Nodes never change, so a process may keep those that it reads often. */
const cache = new LRUCache<string, { items: unknown[] }>({ maxSize: cacheBytes, sizeCalculation: ({ items }) => 200 + 400 * items.length });

/**
 * Keys that the store was seen to keep, for a while that is short beside the time after which it removes what nothing refers to: nodes that were only
 * read say nothing of that, and may be gone since.
 */
const keptForMs = 10 * 60_000;
const kept = new LRUCache<string, true>({ max: 50_000, ttl: keptForMs });

/** Content is stored once in each organization: whether another one has it must not show. */
export function contentKey(organization: string, hash: string): string {
  return `${organization}:${hash}`;
}

/** Nodes on their way to the store: added while a tree is built, written together. */
export type NodeBatch = {
  /** @returns the node's hash */
  add(items: readonly unknown[]): string;
  /** Writes what the store does not have. @returns how many nodes were new */
  write(): Promise<number>;
};

export function createNodeBatch(organization: string): NodeBatch {
  const nodes = new Map<string, readonly unknown[]>();
  return {
    add(items) {
      const hash = hashOfJson(items);
      nodes.set(hash, items);
      return hash;
    },
    async write() {
      const missing = await withoutStored(organization, nodes);
      const records = missing.map(([hash, items]): ContentNodeRecord => ({ _id: contentKey(organization, hash), items: [...items] }));
      const tooLarge = records.some(
        (record) => record.items.length > 5_000 && Buffer.byteLength(JSON.stringify(record.items)) > maxNodeBytes,
      );
      if (tooLarge)
        throw new JobError('limit', 'A folder or list of the content has too many entries.', {
          action: 'Divide it into sub-folders.',
        });
      const written = await insertNew(records);
      // Whoever wrote them reads them next.
      for (const { _id, items } of records) cache.set(_id, { items });
      for (const hash of nodes.keys()) kept.set(contentKey(organization, hash), true);
      return written;
    },
  };
}

async function withoutStored(organization: string, nodes: Map<string, readonly unknown[]>) {
  const unknown = [...nodes].filter(([hash]) => !kept.has(contentKey(organization, hash)));
  const stored = await storedNodes().keep(unknown.map(([hash]) => contentKey(organization, hash)));
  return unknown.filter(([hash]) => !stored.has(contentKey(organization, hash)));
}

/** Of nodes that were removed this process knows nothing any more. */
export function forgetNodes(keys: readonly string[]): void {
  for (const key of keys) {
    cache.delete(key);
    kept.delete(key);
  }
}

async function insertNew(records: ContentNodeRecord[]): Promise<number> {
  let written = 0;
  for (let start = 0; start < records.length; start += perQuery) {
    const batch = records.slice(start, start + perQuery);
    written += await insertIgnoringDuplicates(() => ContentNode.collection.insertMany(batch as never[], { ordered: false }), batch.length);
  }
  return written;
}

/** Somebody else may store the same content at the same time: then it is there, which is all that was wanted. */
export async function insertIgnoringDuplicates(insert: () => Promise<unknown>, count: number): Promise<number> {
  try {
    await insert();
    return count;
  } catch (error) {
    if (!isDuplicateKey(error) || !(error instanceof Error && 'insertedCount' in error && typeof error.insertedCount === 'number'))
      throw error;
    return error.insertedCount;
  }
}

/** The items of several nodes, by hash. @throws when one is not stored: content is never removed while something refers to it */
export async function loadNodes<Item>(organization: string, hashes: readonly string[]): Promise<Map<string, Item[]>> {
  const found = new Map<string, Item[]>();
  const wanted: string[] = [];
  for (const hash of new Set(hashes)) {
    const cached = cache.get(contentKey(organization, hash));
    if (cached) found.set(hash, cached.items as Item[]);
    else wanted.push(hash);
  }
  for (let start = 0; start < wanted.length; start += perQuery) {
    const keys = wanted.slice(start, start + perQuery).map((hash) => contentKey(organization, hash));
    for (const node of await ContentNode.find({ _id: { $in: keys } }).lean<ContentNodeRecord[]>()) {
      cache.set(node._id, { items: node.items });
      found.set(node._id.slice(organization.length + 1), node.items as Item[]);
    }
  }
  for (const hash of wanted) if (!found.has(hash)) throw new Error(`The content node ${hash} is missing.`);
  return found;
}

export async function loadNode<Item>(organization: string, hash: string): Promise<Item[]> {
  return (await loadNodes<Item>(organization, [hash])).get(hash) ?? [];
}

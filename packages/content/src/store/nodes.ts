import { JobError } from '@bindery/contract';
import { ContentNode, insertIgnoringDuplicates, type ContentNodeRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { chunksOf } from '@bindery/runtime';
import { hashOfJson } from './hash.ts';
import { storedNodes } from './storedContent.ts';

/** MongoDB limits a record to 16 MB; a list close to that is not a navigation any more. */
const maxNodeBytes = 14 * 1024 * 1024;
const cacheBytes = 64 * 1024 * 1024;
const perQuery = 500;

/** Nodes never change, so a process may cache those that it reads often. */
const cache = new LRUCache<string, { items: unknown[] }>({
  maxSize: cacheBytes,
  sizeCalculation: ({ items }) => 200 + 400 * items.length,
});

/**
 * Keys that the store recently confirmed to keep, for much less than the time after which it removes
 * unreachable content. A node that was only read does not prove that: it may have been removed since.
 */
const keptForMs = 10 * 60_000;
const kept = new LRUCache<string, true>({ max: 50_000, ttl: keptForMs });

/** Returns a key that includes the organization, so that none can detect the content of another. */
export function contentKey(organization: string, hash: string): string {
  return `${organization}:${hash}`;
}

/** Nodes to be stored: collected while a tree is built, written together. */
export type NodeBatch = {
  /** @returns the node's hash */
  add(items: readonly unknown[]): string;
  /**
   * Writes the nodes that the store does not have.
   *
   * @returns the number of new nodes
   */
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
      const records = missing.map(([hash, items]): ContentNodeRecord => ({
        _id: contentKey(organization, hash),
        items: [...items],
      }));
      const tooLarge = records.some(
        (record) =>
          record.items.length > 5_000 && Buffer.byteLength(JSON.stringify(record.items)) > maxNodeBytes,
      );
      if (tooLarge)
        throw new JobError('limit', 'A folder or list of the content has too many entries.', {
          action: 'Split it into subfolders.',
        });
      const written = await insertNew(records);
      // The writer usually reads them next.
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

/** Removes nodes from this process's caches after they were removed from the store. */
export function forgetNodes(keys: readonly string[]): void {
  for (const key of keys) {
    cache.delete(key);
    kept.delete(key);
  }
}

async function insertNew(records: ContentNodeRecord[]): Promise<number> {
  let written = 0;
  for (const batch of chunksOf(records, perQuery))
    written += await insertIgnoringDuplicates(ContentNode.collection, batch);
  return written;
}

/**
 * Loads the items of several nodes, by hash.
 *
 * @throws when one is not stored: content is never removed while something refers to it
 */
export async function loadNodes<Item>(
  organization: string,
  hashes: readonly string[],
): Promise<Map<string, Item[]>> {
  const found = new Map<string, Item[]>();
  const wanted: string[] = [];
  for (const hash of new Set(hashes)) {
    const cached = cache.get(contentKey(organization, hash));
    if (cached) found.set(hash, cached.items as Item[]);
    else wanted.push(hash);
  }
  for (const some of chunksOf(wanted, perQuery)) {
    const keys = some.map((hash) => contentKey(organization, hash));
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

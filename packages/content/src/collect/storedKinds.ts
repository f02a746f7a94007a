import { DocumentLinks, mongoDatabase } from '@bindery/models';
import { createStoredItems, type BlobStore, type StoredItems } from '@bindery/storage';
import { storedDocuments, storedNodes } from '../store/storedContent.ts';
import type { ContentKind } from './roots.ts';

/** Where each kind of content is stored. */
export function storedKinds(blobs: BlobStore): [ContentKind, StoredItems][] {
  return [
    ['node', storedNodes()],
    ['document', storedDocuments()],
    ['blob', blobs],
  ];
}

/** The link facts of documents: each key begins with the key of its document. */
export function storedLinks() {
  return createStoredItems(mongoDatabase().collection(DocumentLinks.collection.collectionName), '_id');
}

/** The next organization that has stored content, in the order of their ids. */
export async function organizationAfter(blobs: BlobStore, after: string): Promise<string | undefined> {
  // ';' follows ':' in the character set, so all keys of an organization come before it.
  const from = after === '' ? '' : `${after};`;
  const stores = [...storedKinds(blobs).map(([, items]) => items), storedLinks()];
  const keys = await Promise.all(stores.map(async (items) => items.firstAfter(from)));
  // In the order of keys 'ab1:' precedes 'ab:', so continuing after the id 'ab' alone would skip 'ab1'.
  const first = keys
    .filter((key) => key !== undefined)
    .reduce<string | undefined>(
      (least, key) => (least !== undefined && least < key ? least : key),
      undefined,
    );
  return first?.split(':', 1)[0];
}

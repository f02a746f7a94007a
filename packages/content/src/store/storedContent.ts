import { ContentNode, mongoDatabase, PageDocument } from '@bindery/models';
import { createStoredItems } from '@bindery/storage';

/** The documents of all organizations, as removable items. */
export function storedDocuments() {
  return createStoredItems(mongoDatabase().collection(PageDocument.collection.collectionName), '_id');
}

/** The nodes of all organizations, as removable items. */
export function storedNodes() {
  return createStoredItems(mongoDatabase().collection(ContentNode.collection.collectionName), '_id');
}

import { DocumentLinks } from '@bindery/models';
import { faultPoint } from '@bindery/runtime';
import type { BlobStore, StoredItems } from '@bindery/storage';
import { forgetNodes } from '../store/nodes.ts';
import { storedDocuments } from '../store/storedContent.ts';
import { isInShare, markReachable, type Marks, type Reached, type Share } from './markReachable.ts';
import type { ContentKind } from './roots.ts';
import { storedKinds, storedLinks } from './storedKinds.ts';

const keysAtOnce = 1_000;
/**
 * Maximum number of marks of documents and blobs in memory at once, of up to 48 bytes each. A larger
 * organization is collected in several shares, one after the other.
 */
export const marksAtOnce = 500_000;

/**
 * The number of removed items by kind. `missing` is a node that is referred to but not stored; it stops the
 * removal.
 */
export type Collected = Record<`${ContentKind}s`, number> & { missing?: Reached };

/**
 * Removes stored items of an organization that were noted as unreachable at or before `before` and are
 * unreachable again now. Notes all other unreachable items. Safe to interrupt at any point, and to run
 * several times at once.
 *
 * **No item that is needed is removed.** A new reference is either copied from content that is still stored,
 * or its writer has stored or found the item shortly before (`StoredItems.keep`), which deletes the note.
 * "Shortly" is less than the time since `before`: an item with a note that old was either referred to before
 * this collection began, and so was reached, or no writer is about to refer to it. An item that has just lost
 * its last reference has no note yet.
 *
 * @param before       by MongoDB's clock, and read before this begins
 * @param onBatch      is called and awaited every few seconds at least
 * @param marksAtOnce  for tests
 */
export async function collectOrganization(
  organization: string,
  {
    blobs,
    before,
    signal,
    onBatch = async () => {},
    ...options
  }: {
    blobs: BlobStore;
    before: Date;
    signal: AbortSignal;
    onBatch?: () => Promise<void>;
    marksAtOnce?: number;
  },
): Promise<Collected> {
  const collected: Collected = { nodes: 0, documents: 0, blobs: 0 };
  const limit = options.marksAtOnce ?? marksAtOnce;
  const leaves = (await storedDocuments().count(organization)) + (await blobs.count(organization));
  const of = Math.ceil((leaves + 1) / limit);
  for (let index = 0; index < of; index += 1) {
    const share = { index, of };
    let missing: Reached | undefined;
    const marks = await markReachable(organization, {
      share,
      signal,
      onReached: onBatch,
      onMissing: (node) => (missing ??= node),
    });
    // Everything below it seems unreachable, but is needed again once the node is restored from a backup.
    if (missing) return { ...collected, missing };
    await faultPoint('storage.marked');
    // Nodes first: from a missing node `insertRevision` learns that content stored with it may be gone too.
    for (const [kind, items] of storedKinds(blobs)) {
      if (kind === 'node' && index > 0) continue;
      collected[`${kind}s`] += await sweep(items, {
        organization,
        kind,
        marks,
        share,
        before,
        signal,
        onBatch,
      });
    }
  }
  await removeLinks(organization, { signal, onBatch });
  return collected;
}

/** Yields all keys of an organization in pages: the keys after `after`, up to and including `upTo`. */
export async function* pagesOf(
  items: StoredItems,
  { organization, signal }: { organization: string; signal: AbortSignal },
): AsyncIterable<{ keys: string[]; after: string; upTo: string }> {
  for (let after = `${organization}:`; ;) {
    signal.throwIfAborted();
    const keys = await items.list(organization, { after, limit: keysAtOnce });
    const upTo = keys.at(-1);
    if (upTo === undefined) return;
    yield { keys, after, upTo };
    after = upTo;
  }
}

type Sweep = {
  organization: string;
  kind: ContentKind;
  marks: Marks;
  share: Share;
  before: Date;
  signal: AbortSignal;
  onBatch: () => Promise<void>;
};

/** Removes, or notes, the unreachable items of one kind. @returns how many were removed */
async function sweep(
  items: StoredItems,
  { organization, kind, marks, share, before, signal, onBatch }: Sweep,
): Promise<number> {
  let removed = 0;
  const nameOf = (key: string) => key.slice(organization.length + 1);
  for await (const page of pagesOf(items, { organization, signal })) {
    const keys =
      share.of === 1 ? page.keys : page.keys.filter((key) => isInShare({ kind, name: nameOf(key) }, share));
    const unreachable = keys.filter((key) => !marks[kind].has(nameOf(key)));
    const noted = new Set(await items.listUnreachable(page));
    const reached =
      noted.size === 0 ? [] : keys.filter((key) => noted.has(key) && marks[kind].has(nameOf(key)));
    if (reached.length > 0) await items.noteReachable(reached);
    const due = unreachable.filter((key) => noted.has(key));
    if (due.length > 0) {
      const count = await items.removeUnreachable(due, before);
      if (kind === 'node' && count > 0) forgetNodes(due);
      removed += count;
    }
    const fresh = unreachable.filter((key) => !noted.has(key));
    if (fresh.length > 0) await items.noteUnreachable(fresh);
    await faultPoint(`storage.${kind}s_swept`);
    await onBatch();
  }
  return removed;
}

/**
 * Removes the link facts of removed documents. They are computed again on demand, so removing too many is
 * harmless.
 */
async function removeLinks(
  organization: string,
  { signal, onBatch }: Pick<Sweep, 'signal' | 'onBatch'>,
): Promise<void> {
  for await (const { keys } of pagesOf(storedLinks(), { organization, signal })) {
    const documentOf = (key: string) => key.split(':', 2).join(':');
    const documents = await storedDocuments().find([...new Set(keys.map(documentOf))]);
    const gone = keys.filter((key) => !documents.has(documentOf(key)));
    if (gone.length > 0) await DocumentLinks.deleteMany({ _id: { $in: gone } });
    await onBatch();
  }
}

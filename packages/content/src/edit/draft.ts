import type { ContentChange } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { findDocument, storeDocuments } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { DocumentPage, FileItem, ReusableContentItem } from '../store/items.ts';
import { loadFiles, loadReusableContents } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';
import { settleTreePaths } from '../tree/treePaths.ts';
import { readNames, type BatchNames } from './batchNames.ts';
import { freeFileName } from './freeFileName.ts';
import { sha256 } from '../store/hash.ts';

/** A revision under construction: the base with the changes of a batch so far, not stored. */
export type Draft = {
  base: RevisionRecord;
  edit: TreeEdit;
  /** The time of all changes, ISO 8601. */
  now: string;
  files: readonly FileItem[];
  insertedFiles: readonly FileItem[];
  reusableContents: readonly ReusableContentItem[];
  /**
   * Ids of the pages that the batch inserts, by the index of their change: assigned at the start, so that
   * pages can link to later ones.
   */
  pageIds: readonly string[];
  names: BatchNames;
  /** Pages in the order in which they were first changed. */
  touched: Set<string>;
  /** Pages with a text from the batch, each with the link targets of its old text. */
  written: Map<string, ReadonlySet<string>>;
  sources: DraftSources;
};

/** Documents of the draft, stored or not. */
export type DraftSources = {
  /** The file of a page; undefined for a page without content. */
  of(page: DocumentPage): Promise<PageSource | undefined>;
  /** @returns the hash of the file */
  keep(source: PageSource): string;
  /** Stores those of the given documents that `keep` added. */
  store(hashes: Iterable<string>): Promise<void>;
};

/**
 * Opens a draft of a revision for a batch of changes.
 *
 * @param inserted  the stored files of the batch, by the index of their change
 * @throws invalid_request when the names that the batch gives are not unique
 */
export async function openDraft(
  base: RevisionRecord,
  changes: readonly ContentChange[],
  inserted: ReadonlyMap<number, readonly FileItem[]>,
): Promise<Draft> {
  const { organization } = base;
  const [tree, stored, reusableContents] = await Promise.all([
    openTree(organization, base.pages),
    loadFiles(base),
    loadReusableContents(base),
  ]);
  const files = [...stored];
  const named = new Map<number, FileItem[]>();
  for (const [index, added] of inserted) {
    for (const file of added) {
      const item = { ...file, name: freeFileName(files, file.name) };
      files.push(item);
      named.set(index, [...(named.get(index) ?? []), item]);
    }
  }
  const edit = tree.edit();
  if (!tree.hasTreePaths()) settleTreePaths(edit);
  const pageIds = changes.map(({ operation }) => (operation === 'insert_page' ? newId() : ''));
  return {
    base,
    edit,
    now: new Date().toISOString(),
    files,
    insertedFiles: files.slice(stored.length),
    reusableContents,
    pageIds,
    names: readNames(changes, {
      pageIds,
      filesOf: (index) => named.get(index) ?? [],
      isPath: (path) => edit.pageAtPath(path) !== undefined,
    }),
    touched: new Set(),
    written: new Map(),
    sources: createSources(organization),
  };
}

function createSources(organization: string): DraftSources {
  const kept = new Map<string, PageSource>();
  return {
    of: async ({ document }) => {
      if (document === undefined) return undefined;
      const source = kept.get(document) ?? (await findDocument(organization, document));
      if (!source) throw new Error(`The document ${document} is missing.`);
      return source;
    },
    keep: (source) => {
      const hash = sha256(source.frontmatter, source.body);
      kept.set(hash, source);
      return hash;
    },
    store: async (hashes) => {
      const wanted = [...new Set(hashes)].flatMap((hash) => {
        const source = kept.get(hash);
        return source ? [{ hash, source }] : [];
      });
      await storeDocuments(organization, wanted);
    },
  };
}

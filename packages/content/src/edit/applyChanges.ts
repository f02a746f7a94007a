import { invalid, JobError, type ContentChange } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { contentLimits } from '@bindery/dialect/repository-format';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { FileItem } from '../store/items.ts';
import { prepareChangedRevision } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import { deletePage } from './deletePage.ts';
import { openDraft, type Draft } from './draft.ts';
import { insertPage } from './insertPage.ts';
import { settleRest } from './pageText.ts';
import { revertPage } from './revertPage.ts';
import { updatePage } from './updatePage.ts';

/** The outcome for one page; `ref` is its name in the batch. */
export type PageOutcome = { outcome: 'created' | 'updated' | 'deleted'; page: string; ref?: string };

export type AppliedChanges = {
  /** Not stored yet: the caller inserts it when publishing. Its content is stored. */
  revision: RevisionRecord;
  /** In the order in which the pages were first changed. */
  changes: PageOutcome[];
  insertedFiles: readonly FileItem[];
};

/**
 * Applies a batch of changes to a revision in order, all or none.
 *
 * Writes only the changed documents and the nodes above them.
 *
 * @param revertTo  the revision that pages revert to where a change names none
 * @param files     the stored files of the batch, by the index of their change
 * @throws invalid_request naming the change that cannot be made
 */
export async function applyChanges(
  base: RevisionRecord,
  changes: readonly ContentChange[],
  {
    revertTo,
    files,
    createdBy,
  }: { revertTo: string; files: ReadonlyMap<number, readonly FileItem[]>; createdBy: string },
): Promise<AppliedChanges> {
  const draft = await openDraft(base, changes, files);
  for (const [index, change] of changes.entries()) await applyChange(draft, change, { index, revertTo });
  await settleLast(draft);
  if (changes.some(({ operation }) => operation === 'insert_page' || operation === 'revert_page'))
    requirePageCount(draft);
  return {
    revision: await store(draft, createdBy),
    changes: await changedPages(draft, changes),
    insertedFiles: draft.insertedFiles,
  };
}

async function applyChange(
  draft: Draft,
  change: ContentChange,
  { index, revertTo }: { index: number; revertTo: string },
): Promise<void> {
  switch (change.operation) {
    case 'insert_page':
      return insertPage(draft, change, index);
    case 'update_page':
      return updatePage(draft, change, index);
    case 'delete_page':
      return deletePage(draft, change.page, index);
    case 'revert_page':
      return revertPage(draft, change, { change: index, revertTo });
    case 'insert_files':
      // Files are inserted first, because pages may refer to them before their own change.
      return undefined;
  }
}

async function settleLast(draft: Draft): Promise<void> {
  const sourceOf = new Map<string, PageSource>();
  for (const id of draft.written.keys()) {
    const page = draft.edit.page(id)?.page;
    const source = page?.type === 'document' ? await draft.sources.of(page) : undefined;
    if (source) sourceOf.set(id, source);
  }
  await settleRest(draft, sourceOf);
}

function requirePageCount({ edit }: Draft): void {
  let count = 0;
  for (const _ of edit.all()) count += 1;
  if (count > contentLimits.pages)
    throw invalid('body.changes', `must leave at most ${contentLimits.pages} pages in the content.`);
}

async function store(
  { base, edit, sources, touched, files, insertedFiles }: Draft,
  createdBy: string,
): Promise<RevisionRecord> {
  const documents = [...touched].flatMap((id) => {
    const page = edit.page(id)?.page;
    return page?.type === 'document' && page.document !== undefined ? [page.document] : [];
  });
  await sources.store(documents);
  try {
    const { root: pages } = await edit.write();
    const { revision } = await prepareChangedRevision(base, {
      type: 'edits',
      parents: [base._id],
      createdBy,
      pages,
      files: insertedFiles.length > 0 ? files : undefined,
    });
    return revision;
  } catch (error) {
    if (error instanceof JobError) throw invalid('body.changes', `cannot be stored: ${error.message}`);
    throw error;
  }
}

async function changedPages(
  { base, edit, touched, pageIds }: Draft,
  changes: readonly ContentChange[],
): Promise<PageOutcome[]> {
  const before = await openTree(base.organization, base.pages);
  const changed: PageOutcome[] = [];
  for (const page of touched) {
    const wasThere = before.page(page) !== undefined;
    if (!edit.page(page)) {
      // A page that the batch both inserted and deleted has no outcome.
      if (wasThere) changed.push({ outcome: 'deleted', page });
      continue;
    }
    const inserted = changes[pageIds.indexOf(page)];
    const ref = inserted?.operation === 'insert_page' ? inserted.ref : undefined;
    changed.push({ outcome: wasThere ? 'updated' : 'created', page, ref });
  }
  return changed;
}

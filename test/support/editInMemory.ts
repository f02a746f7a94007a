import { createHash } from 'node:crypto';
import type { FileItem, PageTree } from '@bindery/content';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { ExportedContent } from '@bindery/content/export';
import { ApiError, ContentChange } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { z } from 'zod';
import { readNames } from '../../packages/content/src/edit/batchNames.ts';
import { deletePage } from '../../packages/content/src/edit/deletePage.ts';
import type { Draft } from '../../packages/content/src/edit/draft.ts';
import { freeFileName } from '../../packages/content/src/edit/freeFileName.ts';
import { insertPage } from '../../packages/content/src/edit/insertPage.ts';
import { updatePage } from '../../packages/content/src/edit/updatePage.ts';
import { memoryTree, pagesOf } from './memoryTree.ts';

/** Documents by hash, as in the store. */
export type Documents = Map<string, PageSource>;

const now = '2026-02-02T00:00:00.000Z';

/**
 * Applies one change to content with the API's own code, but without stores. A change that the API refuses
 * changes nothing.
 *
 * @param file  the data of a new file
 */
export async function editInMemory(
  content: ExportedContent,
  given: z.input<typeof ContentChange> | { operation: 'new_file'; file: Omit<FileItem, 'id'> },
  documents: Documents,
): Promise<ExportedContent> {
  if (given.operation === 'new_file') {
    const file = { ...given.file, id: newId(), name: freeFileName(content.files, given.file.name) };
    return { ...content, files: [...content.files, file] };
  }
  const change = ContentChange.parse(given);
  const draft = draftOf(content, change, documents);
  try {
    if (change.operation === 'insert_page') await insertPage(draft, change, 0);
    if (change.operation === 'update_page') await updatePage(draft, change, 0);
    if (change.operation === 'delete_page') deletePage(draft, change.page, 0);
  } catch (error) {
    if (error instanceof ApiError) return content;
    throw error;
  }
  return { ...content, pages: pagesOf(draft.edit) as PageTree[] };
}

function draftOf(content: ExportedContent, change: ContentChange, documents: Documents): Draft {
  const edit = memoryTree(content.pages).edit();
  return {
    base: { organization: 'memory', space: 'memory' } as RevisionRecord,
    edit,
    now,
    files: content.files,
    insertedFiles: [],
    reusableContents: content.reusableContents,
    pageIds: [newId()],
    names: readNames([change], { pageIds: [], filesOf: () => [], isPath: () => false }),
    touched: new Set(),
    written: new Map(),
    sources: {
      of: ({ document }) => Promise.resolve(document === undefined ? undefined : documents.get(document)),
      keep: (source) => {
        const hash = createHash('sha256').update(source.frontmatter).update(source.body).digest('hex');
        documents.set(hash, source);
        return hash;
      },
      store: () => Promise.resolve(),
    },
  };
}

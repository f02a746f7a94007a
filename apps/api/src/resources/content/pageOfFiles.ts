import { loadFiles } from '@bindery/content';
import type { File } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/paging.ts';
import { presentFile, type ContentOptions } from './content.presenter.ts';

/** The files of a revision in their stored order. The list is one node: a page of it is a cut, not a query. */
export async function pageOfFiles(revision: RevisionRecord, { limit, after, ...options }: PageQuery & ContentOptions): Promise<Page<File>> {
  const files = await loadFiles(revision);
  const start = after ? files.findIndex(({ id }) => id === after[0]) + 1 : 0;
  const { items, next } = cutPage(files.slice(start, start + limit + 1), limit, (file) => [file.id]);
  return { count: files.length, next, items: items.map((file) => presentFile(revision, file, options)) };
}

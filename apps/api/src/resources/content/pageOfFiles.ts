import type { File } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/answer/paging.ts';
import type { Reader } from '../../http/actor.ts';
import { presentFile, type ContentOptions } from '../../presenters/content.presenter.ts';
import { loadShownContent } from './shown/shownContent.ts';

/** The files of a revision that somebody may know of, in their stored order. The list is one node: a page of it is a cut, not a query. */
export async function pageOfFiles(
  revision: RevisionRecord,
  { reader, query: { limit, after, ...options } }: { reader: Reader; query: PageQuery & ContentOptions },
): Promise<Page<File>> {
  const { files } = await loadShownContent(revision, reader);
  const start = after ? positionAfter(files, Number(after[0]), after[1]) : 0;
  const { items, next } = cutPage(files.slice(start, start + limit + 1), limit, (file) => [files.indexOf(file), file.id]);
  return { count: files.length, next, items: items.map((file) => presentFile(revision, file, { ...options, visitor: reader.visitor })) };
}

/** Behind the file with this id; where that file is gone with newer content, at the place where it was. */
function positionAfter(files: readonly { id: string }[], index: number, id: unknown): number {
  const found = files.findIndex((file) => file.id === id);
  return found === -1 ? index : found + 1;
}

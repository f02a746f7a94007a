import type { File } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { loadShownContent } from '@bindery/publishing';
import { cutPage, type Page, type PageQuery } from '../../http/answer/paging.ts';
import type { Reader } from '../../http/actor.ts';
import { presentFile } from '../../presenters/content.presenter.ts';
import type { Links } from '../../presenters/links.ts';

/**
 * The files of a revision that the reader may know of, in their stored order. One node contains the whole
 * list, so a page needs no query.
 */
export async function pageOfFiles(
  revision: RevisionRecord,
  {
    links,
    reader,
    query: { limit, after, metadata },
  }: { links: Links; reader: Reader; query: PageQuery & { metadata: boolean } },
): Promise<Page<File>> {
  const { files } = await loadShownContent(revision, { links, reader });
  const start = after ? positionAfter(files, Number(after[0]), after[1]) : 0;
  const { items, next } = cutPage(files.slice(start, start + limit + 1), limit, (file) => [
    files.indexOf(file),
    file.id,
  ]);
  const options = { links, metadata, visitor: reader.visitor };
  return { count: files.length, next, items: items.map((file) => presentFile(revision, file, options)) };
}

/** The position after the file with this id; if newer content lacks that file, its former position. */
function positionAfter(files: readonly { id: string }[], index: number, id: unknown): number {
  const found = files.findIndex((file) => file.id === id);
  return found === -1 ? index : found + 1;
}

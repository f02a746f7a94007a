import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  factsKey,
  indexedPage,
  loadDocuments,
  storeFacts,
  type DocumentFacts,
  type PlacedPage,
} from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import type { IndexedPageRecord, SpaceRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';

/** Pages that are read and written together: more make others wait longer, fewer cost more per page. */
export const pagesAtOnce = 50;

type Reading = {
  space: SpaceRecord;
  logger: Logger;
  signal: AbortSignal;
  describe: (document: DocumentTree) => Promise<DocumentTree>;
};

/**
 * Yields the records of each page by its id; none for a hidden page. Also stores the links of the pages that
 * it parses for that.
 */
export async function* readPages(
  changed: readonly PlacedPage[],
  { space, logger, signal, describe }: Reading,
): AsyncIterable<[id: string, records: IndexedPageRecord[]]> {
  for (let start = 0; start < changed.length; start += pagesAtOnce) {
    const pages = changed.slice(start, start + pagesAtOnce);
    const sources = await loadDocuments(space.organization, [
      ...new Set(pages.flatMap(({ page }) => page.document ?? [])),
    ]);
    const facts = new Map<string, DocumentFacts>();
    for (const placed of pages) {
      signal.throwIfAborted();
      // Reading a page takes a while: the pause lets leases be renewed and other work run.
      await nextTurn();
      const { id, title, document } = placed.page;
      const records = await indexedPage(placed, {
        organization: space.organization,
        space: space._id,
        source: document === undefined ? undefined : sources.get(document),
        describe,
        onProblem: (error) =>
          logger.warn(
            { err: error, space: space._id, page: id },
            'a page could not be read for search; it is found by its title',
          ),
        onFacts: (found) => {
          if (document !== undefined) facts.set(factsKey({ hash: document, of: 'page', title }), found);
        },
      });
      yield [id, records];
    }
    if (facts.size > 0) await storeFacts(space.organization, facts);
  }
}

import { writePageSource } from '@bindery/dialect/page-source';
import type { PageTree } from '../../store/items.ts';
import { bytesOf } from './documentWriter.ts';
import { sha256 } from '../../store/hash.ts';
import type { ExportedContent, ExportSources, RewrittenDocument } from '../types.ts';

/**
 * Gives the landing page of a space a document with its title. Before its first edit it has none, and without
 * a file the repository would not identify the landing page: a navigation entry without a file gets its path
 * from its title, and another id.
 */
export function withStartPage(
  content: ExportedContent,
  sources: ExportSources,
): { content: ExportedContent; sources: ExportSources; written: ReadonlyMap<string, RewrittenDocument> } {
  const start = content.pages.find(isUnwrittenStart);
  if (!start) return { content, sources, written: new Map() };
  const source = writePageSource(undefined, { title: start.title });
  const bytes = bytesOf(source);
  const document = sha256(bytes);
  return {
    content: {
      ...content,
      pages: content.pages.map((page) => (page === start ? { ...start, document } : page)),
    },
    sources: {
      ...sources,
      documents: async (hashes) => {
        const stored = hashes.filter((hash) => hash !== document);
        return new Map([...(stored.length > 0 ? await sources.documents(stored) : []), [document, source]]);
      },
    },
    written: new Map([[start.id, { document, bytes }]]),
  };
}

function isUnwrittenStart(page: PageTree): page is Extract<PageTree, { type: 'document' }> {
  return page.type === 'document' && page.document === undefined && page.path === 'readme';
}

import type { ClientSession } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { addContent, type AddedContent } from './addContent.ts';
import type { GatheredContent } from './gatherContent.ts';
import { eachNewPage, type NewContent, type NewPage } from './newPage.ts';

export type FinishedImport = {
  result: {
    revision: string;
    importedResources: number;
    totalResources: number;
    pages: { id: string; type: 'page' | 'folder'; sourceURL?: string }[];
  };
  stats: { pages: number; files: number; skipped: number };
  /** The one write that shows it: what was changed meanwhile stays, and the pages come behind what is there then. */
  publish(session: ClientSession): Promise<void>;
};

/** What an import has given once all of it is stored. */
export function finishImport(
  { pages, files, reusableContents }: NewContent,
  { gathered, ...where }: Pick<AddedContent, 'target' | 'into' | 'createdBy'> & { gathered: Pick<GatheredContent, 'sources' | 'failed'> },
): FinishedImport {
  const imported = [...eachNewPage(pages)];
  const importedResources = imported.length + files.length + reusableContents.length;
  const revision = newId();
  const urls = new Map(gathered.sources.map(({ page, url }) => [page, url]));
  const describe = (page: NewPage): FinishedImport['result']['pages'][number] => {
    const sourceURL = urls.get(page.id);
    return { id: page.id, type: isFolder(page) ? 'folder' : 'page', ...(sourceURL !== undefined && { sourceURL }) };
  };
  return {
    result: { revision, importedResources, totalResources: importedResources + gathered.failed, pages: imported.map(describe) },
    stats: { pages: imported.length, files: files.length, skipped: gathered.failed },
    publish: async (session) => {
      await addContent({ pages, files, reusableContents, revision, ...where }, session);
    },
  };
}

function isFolder(page: NewPage): boolean {
  return page.type === 'group' || (page.type === 'document' && page.document === undefined && page.pages.length > 0);
}

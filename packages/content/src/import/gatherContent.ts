import { JobError } from '@bindery/contract/jobErrors';
import { contentTypeOf } from '../contentType.ts';
import { contentLimits } from '@bindery/dialect/repository-format';
import { sha256 } from '../store/hash.ts';
import type { FileItem, ReusableContentItem } from '../store/items.ts';
import { eachDraft, eachDraftPage, type Draft, type DraftFile, type DraftInclude } from './draft.ts';
import { linkDrafts } from './linkDrafts.ts';
import type { NewPage } from './newPage.ts';
import type { Spool, SpoolPart } from './spool.ts';

/**
 * Content that was read but not stored: its description, and the positions of its bytes in the spool. Plain
 * data, so that it can be sent between processes.
 */
export type GatheredContent = {
  pages: NewPage[];
  reusableContents: ReusableContentItem[];
  documents: SpoolPart[];
  files: (Pick<FileItem, 'id' | 'name' | 'contentType'> & SpoolPart)[];
  /** The URLs that pages were fetched from. */
  sources: { page: string; url: string }[];
  /** The number of pages and files that were found but could not be imported. */
  failed: number;
};

const maxNameLength = 200;

/**
 * Completes the reading: links the drafts to each other, and returns the pages and the files that they use.
 *
 * @param failed  the number of items that were found but could not be read
 * @throws JobError `bad_content` when there is nothing to import, `too_large` for a page, `limit` for pages
 *   that are nested too deep
 */
export async function gatherContent(
  {
    drafts,
    files,
    includes = [],
    failed = 0,
  }: {
    drafts: readonly Draft[];
    files: readonly DraftFile[];
    includes?: readonly DraftInclude[];
    failed?: number;
  },
  spool: Spool,
): Promise<GatheredContent> {
  if (![...eachDraft(drafts)].some(({ kind }) => kind !== 'group')) throw nothingFound();
  refuseDeep(drafts);
  const linked = linkDrafts(drafts, { files, includes, hashOf: sha256 });
  const documents = [...linked.documents.values()].map((file) => {
    if (file.length > contentLimits.scannedBytes) {
      throw new JobError(
        'too_large',
        `A page is larger than ${contentLimits.scannedBytes / 1_000_000} MB of text.`,
        {
          action: 'Split the page, or remove it.',
        },
      );
    }
    return spool.add(file);
  });
  const stored: GatheredContent['files'] = [];
  for (const { id, name: given, read, isKept } of files) {
    if (!isKept && !linked.filesInUse.has(id)) continue;
    const name = fileName(given);
    stored.push({ id, name, contentType: contentTypeOf(name), ...spool.add(await read()) });
  }
  const sources = [...eachDraftPage(drafts)].flatMap(({ id, sourceUrl }) =>
    sourceUrl === undefined ? [] : [{ page: id, url: sourceUrl }],
  );
  return {
    pages: linked.pages,
    reusableContents: linked.reusableContents,
    documents,
    files: stored,
    sources,
    failed,
  };
}

function nothingFound(): JobError {
  return new JobError('bad_content', 'The source contains nothing that can be imported.', {
    action: 'Check that the URL leads to the content itself, and that `source` matches its format.',
  });
}

function refuseDeep(drafts: readonly Draft[]): void {
  for (let level: readonly Draft[] = drafts, depth = 0; level.length > 0; depth += 1) {
    if (depth >= contentLimits.pageDepth)
      throw new JobError('limit', `Pages are nested more than ${contentLimits.pageDepth} levels deep.`);
    level = level.flatMap((draft) => ('pages' in draft ? draft.pages : []));
  }
}

function fileName(given: string): string {
  const name = given
    .normalize('NFC')
    .replaceAll(/[\p{Cc}/\\]+/gu, ' ')
    .trim();
  return name.slice(-maxNameLength) || 'file';
}

import { keepDocuments, loadDocuments } from '@bindery/content';
import { TranslatedPage, translatedPageId, type PageTexts, type TranslatedPageRecord } from '@bindery/models';
import { chunksOf } from '@bindery/runtime';
import { entryOf, isSameTexts } from './pageTexts.ts';
import type { CutPage } from './pageWork.ts';
import type { Pages } from './pages.ts';
import { textsOfCut, type SourcePage } from './sourcePages.ts';

/** Numbers of pages: whose records are looked up at once, and whose files are loaded at once. */
const pagesAtOnce = { records: 200, files: 10 };
/**
 * Numbers of texts in a group of pages. While the engine has one group, the next group is cut, and the group
 * before is joined. The first group is small, because the engine waits for it.
 */
const textsOfGroup = { first: 50, others: 300 };

/** A page that has to be made; `page` is undefined if it exceeds the limits of `Pages`. */
export type Cut = { source: SourcePage; file: Uint8Array | undefined; page: CutPage | undefined };

export type Cutting = {
  organization: string;
  translation: string;
  /** Hash of everything besides a page that its translation depends on. */
  settings: string;
  pages: Pages;
  signal: AbortSignal;
  /** Tells of a page that is made again even if its record is current. */
  isStale(page: string): boolean;
  /** Gets the texts of the last run for a page that needs no work. */
  onCurrent(page: string, written: PageTexts): void;
  /** Leaves the documents of such pages as they are; otherwise they are kept for the new revision. */
  isDry?: boolean;
};

/**
 * Cuts the pages that need work, in groups. A page with the same texts and settings as in its record needs
 * none: it is neither loaded nor parsed.
 */
export async function* cutInGroups(sources: readonly SourcePage[], settings: Cutting): AsyncGenerator<Cut[]> {
  let group: Cut[] = [];
  let texts = 0;
  let enough = textsOfGroup.first;
  for await (const one of cutPages(sources, settings)) {
    group.push(one);
    texts += textsOfCut(one).length;
    if (texts < enough && group.length < pagesAtOnce.records) continue;
    yield group;
    group = [];
    texts = 0;
    enough = textsOfGroup.others;
  }
  if (group.length > 0) yield group;
}

async function* cutPages(sources: readonly SourcePage[], settings: Cutting): AsyncGenerator<Cut> {
  for (const some of chunksOf(sources, pagesAtOnce.records)) {
    settings.signal.throwIfAborted();
    const current = await currentRecords(some, settings);
    const isCurrent = ({ id }: SourcePage) => current.has(id) && !settings.isStale(id);
    for (const { id } of some.filter(isCurrent))
      settings.onCurrent(id, (current.get(id) as TranslatedPageRecord).written);
    const stale = some.filter((source) => !isCurrent(source));
    for (const few of chunksOf(stale, pagesAtOnce.files)) yield* cutFew(few, settings);
  }
}

async function* cutFew(
  sources: readonly SourcePage[],
  { organization, pages, signal }: Cutting,
): AsyncGenerator<Cut> {
  const hashes = sources.flatMap(({ texts: { document } }) => (document === undefined ? [] : [document]));
  const documents = await loadDocuments(organization, hashes);
  const cut = sources.map(async (source): Promise<Cut> => {
    const stored = documents.get(source.texts.document ?? '');
    const file = stored && Buffer.concat([stored.frontmatter, stored.body]);
    const entry = entryOf(source.texts) as Record<string, string>;
    return { source, file, page: await pages.cut({ file, entry }) };
  });
  // A reader that stops leaves the others unread.
  for (const page of cut) page.catch(() => {});
  for (const page of cut) {
    signal.throwIfAborted();
    yield await page;
  }
}

/** The records of pages that need no work, whose documents are stored still. */
async function currentRecords(
  sources: readonly SourcePage[],
  { translation, settings, organization, isDry = false }: Cutting,
): Promise<Map<string, TranslatedPageRecord>> {
  const records = await TranslatedPage.find({
    _id: { $in: sources.map(({ id }) => translatedPageId(translation, id)) },
    settings,
  }).lean<TranslatedPageRecord[]>();
  const byPage = new Map(records.map((record) => [record.page, record]));
  const current = sources.flatMap(({ id, texts }) => {
    const record = byPage.get(id);
    return record && isSameTexts(record.source, texts) ? [record] : [];
  });
  if (isDry) return new Map(current.map((record) => [record.page, record]));
  const hashes = current.flatMap(({ written: { document } }) => (document === undefined ? [] : [document]));
  const stored = await keepDocuments(organization, hashes);
  return new Map(
    current
      .filter(({ written: { document } }) => document === undefined || stored.has(document))
      .map((record) => [record.page, record]),
  );
}

import { createHash } from 'node:crypto';
import { keepDocuments, loadDocuments, storeDocuments } from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import {
  replaceTranslatedSegments,
  TranslatedPage,
  translatedPageId,
  type PageTexts,
  type TranslatedPageRecord,
  type TranslatedSegmentRecord,
} from '@bindery/models';
import { partsOfText } from '@bindery/translation';
import { textsOfCut, type SourcePage } from './sourcePages.ts';
import { entryNames, entryOf, isSameTexts } from './pageTexts.ts';
import type { CutPage } from './pageWork.ts';
import type { Pages } from './pages.ts';
import { createSegmentList, type SegmentList } from './segmentList.ts';
import { segmentsBefore, segmentsOf, withConflicts } from './segments.ts';
import type { HandEdit } from './handEdits.ts';
import { translateTexts, type TranslatedTexts } from './translateTexts.ts';

/** Pages whose texts are in memory at once. */
const pagesAtOnce = 50;
const tooSlow = 'The page takes too long to read.';

type Settings = Omit<Parameters<typeof translateTexts>[1], 'onBatch'> & {
  translation: string;
  /** Hash of everything besides a page that its translation depends on. */
  settings: string;
  pages: Pages;
  /** Texts that people have changed in the result since the last run. */
  edits: readonly HandEdit[];
  /** The id of the job. */
  job: string;
  onProgress(done: number): void;
};

export type TranslatedPages = {
  /** By id of the page. */
  written: Map<string, PageTexts>;
  /** The pages that were made anew. */
  made: TranslatedPageRecord[];
  /** Texts that the engine has translated. */
  sent: number;
  /** The keys that a person's text has, for all texts of the pages that were made anew. */
  used: Set<string>;
  /** Segments that somebody should look at. */
  listed: SegmentList;
  /** Texts of people whose source has left its page; it may be in another one. */
  removed: TranslatedSegmentRecord[];
};

/**
 * Translates pages, a few at a time. A page whose texts and settings are those of its record is taken from
 * it: it is neither loaded nor parsed.
 *
 * @param isStale  tells of a page that is made again even if its record is current
 */
export async function translatePages(
  sources: readonly SourcePage[],
  { isStale, ...settings }: Settings & { isStale(page: string): boolean },
): Promise<TranslatedPages> {
  const result: TranslatedPages = {
    ...{ written: new Map(), made: [], sent: 0, used: new Set(), listed: createSegmentList(), removed: [] },
  };
  for (let start = 0; start < sources.length; start += pagesAtOnce) {
    settings.signal.throwIfAborted();
    const some = sources.slice(start, start + pagesAtOnce);
    const current = await currentRecords(some, settings);
    for (const [id, { written }] of current) if (!isStale(id)) result.written.set(id, written);
    const stale = some.filter(({ id }) => !result.written.has(id));
    await makePages(stale, settings, result);
    settings.onProgress(Math.min(sources.length, start + pagesAtOnce));
  }
  return result;
}

/** The records of pages that were made of the same texts with the same settings. */
export async function matchingRecords(
  sources: readonly SourcePage[],
  { translation, settings }: Pick<Settings, 'translation' | 'settings'>,
): Promise<TranslatedPageRecord[]> {
  const records = await TranslatedPage.find({
    _id: { $in: sources.map(({ id }) => translatedPageId(translation, id)) },
    settings,
  }).lean<TranslatedPageRecord[]>();
  const byPage = new Map(records.map((record) => [record.page, record]));
  return sources.flatMap(({ id, texts }) => {
    const record = byPage.get(id);
    return record && isSameTexts(record.source, texts) ? [record] : [];
  });
}

/** The records of pages that need no work, whose documents are stored still. */
async function currentRecords(
  sources: readonly SourcePage[],
  settings: Settings,
): Promise<Map<string, TranslatedPageRecord>> {
  const { organization } = settings;
  const current = await matchingRecords(sources, settings);
  const hashes = current.flatMap(({ written: { document } }) => (document === undefined ? [] : [document]));
  const stored = await keepDocuments(organization, hashes);
  return new Map(
    current
      .filter(({ written: { document } }) => document === undefined || stored.has(document))
      .map((record) => [record.page, record]),
  );
}

async function makePages(
  sources: readonly SourcePage[],
  { translation, settings, pages, organization, edits, job, ...engine }: Settings,
  result: TranslatedPages,
): Promise<void> {
  if (sources.length === 0) return;
  const cut = await cutPages(sources, { organization, pages });
  const texts = cut.flatMap(textsOfCut);
  for (const { human } of texts) result.used.add(human);
  const translated = await translateTexts(texts, {
    ...{ organization, ...engine },
    onBatch: (count) => (result.sent += count),
  });

  const ids = sources.map(({ id }) => id);
  const before = await segmentsBefore(translation, { pages: ids, edits });
  const files: { hash: string; source: ReturnType<typeof splitFrontmatter> }[] = [];
  const segments: TranslatedSegmentRecord[] = [];
  for (const { source, file, page } of cut) {
    const { id, texts } = source;
    const written = writtenEntry(texts, page, translated);
    const joined = file && page && (await pages.join(file, translationsOf(page, translated)));
    if (file) {
      const bytes = joined?.file ?? file;
      written.document = createHash('sha256').update(bytes).digest('hex');
      files.push({ hash: written.document, source: splitFrontmatter(bytes) });
    } else if (texts.document !== undefined) written.document = texts.document;
    result.written.set(id, written);
    result.made.push({
      ...{ _id: translatedPageId(translation, id), translation, page: id, settings },
      ...{ source: texts, written, ...countsOf(page, translated) },
    });
    if (file && !joined) result.listed.add({ page: id, state: 'kept', reason: tooSlow });
    const now = new Date();
    const place = { translation, page: id, title: texts.title, job, version: now.getTime() };
    const made = page ? segmentsOf(page, { place, translated, refused: joined?.refused ?? [] }) : [];
    const own = withConflicts(made, {
      before: before.get(id) ?? [],
      edits: edits.filter((edit) => edit.page === id),
      ...{ job, now },
    });
    segments.push(...own);
    for (const segment of own)
      if (segment.state === 'removed') result.removed.push(segment);
      else result.listed.add(segment);
  }
  await storeDocuments(organization, files);
  await replaceTranslatedSegments(segments, { translation, pages: ids, job });
}

/** A page of the source, cut into its texts; without them when it exceeds the limits. */
export type Cut = { source: SourcePage; file: Uint8Array | undefined; page: CutPage | undefined };

export async function cutPages(
  sources: readonly SourcePage[],
  { organization, pages }: Pick<Settings, 'organization' | 'pages'>,
): Promise<Cut[]> {
  const hashes = sources.flatMap(({ texts: { document } }) => (document === undefined ? [] : [document]));
  const documents = await loadDocuments(organization, hashes);
  const cut: Cut[] = [];
  for (const source of sources) {
    const stored = documents.get(source.texts.document ?? '');
    const file = stored && Buffer.concat([stored.frontmatter, stored.body]);
    const entry = entryOf(source.texts) as Record<string, string>;
    cut.push({ source, file, page: await pages.cut({ file, entry }) });
  }
  return cut;
}

function writtenEntry(source: PageTexts, page: CutPage | undefined, translated: TranslatedTexts): PageTexts {
  const written: PageTexts = { ...source };
  delete written.document;
  for (const name of entryNames) {
    const text = page?.entry[name];
    const found = text && translated.get(text.key);
    if (found && 'text' in found) written[name] = plainOf(found.text);
  }
  return written;
}

/** Titles and descriptions are plain. */
function plainOf(text: string): string {
  return (partsOfText(text) ?? []).filter((part) => typeof part === 'string').join('');
}

function translationsOf(page: CutPage, translated: TranslatedTexts): Map<number, string> {
  const texts = new Map<number, string>();
  for (const [index, { key }] of page.segments.entries()) {
    const found = translated.get(key);
    if (found && 'text' in found) texts.set(index, found.text);
  }
  return texts;
}

function countsOf(page: CutPage | undefined, translated: TranslatedTexts) {
  let words = 0;
  let unknownWords = 0;
  for (const text of page ? [...Object.values(page.entry), ...page.segments] : []) {
    const found = translated.get(text.key);
    words += text.words;
    if (found && 'text' in found) unknownWords += found.unknownWords;
  }
  return { words, unknownWords };
}

import { createHash } from 'node:crypto';
import { storeDocuments } from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import {
  replaceTranslatedSegments,
  translatedPageId,
  type PageTexts,
  type TranslatedPageRecord,
  type TranslatedSegmentRecord,
} from '@bindery/models';
import { faultPoint } from '@bindery/runtime';
import { normalized, partsOfText } from '@bindery/translation';
import { cutInGroups, type Cut, type Cutting } from './cutInGroups.ts';
import { textsOfCut, type SourcePage } from './sourcePages.ts';
import { entryNames } from './pageTexts.ts';
import type { Pages } from './pages.ts';
import type { CutPage, JoinedPage } from './pageWork.ts';
import { createSegmentList, type SegmentList } from './segmentList.ts';
import { segmentsBefore, segmentsOf, withConflicts } from './segments.ts';
import type { HandEdit } from './handEdits.ts';
import { translateTexts, type TranslatedTexts } from './translateTexts.ts';

const tooSlow = 'The page takes too long to read.';

type Settings = Omit<Parameters<typeof translateTexts>[1], 'onBatch'> &
  Omit<Cutting, 'onCurrent'> & {
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
 * Translates pages, a few at a time. A page with the same texts and settings as in its record is taken from
 * the record: it is neither loaded nor parsed.
 *
 * While the engine has one group of pages, the next is cut, and the one before is joined.
 */
export async function translatePages(
  sources: readonly SourcePage[],
  settings: Settings,
): Promise<TranslatedPages> {
  const result: TranslatedPages = {
    ...{ written: new Map(), made: [], sent: 0, used: new Set(), listed: createSegmentList(), removed: [] },
  };
  const groups = cutInGroups(sources, {
    ...settings,
    onCurrent: (page, written) => void result.written.set(page, written),
  });
  let next = awaitedLater(groups.next());
  let made = Promise.resolve();
  try {
    for (let group = await next; !group.done; group = await next) {
      const pages = group.value;
      next = awaitedLater(groups.next());
      const translated = await translateGroup(pages, settings, result);
      await made;
      made = awaitedLater(makePages(pages, translated, { settings, result }));
    }
    await made;
  } finally {
    // A run that has failed leaves no work behind.
    await Promise.allSettled([next, made]);
  }
  settings.onProgress(result.written.size);
  return result;
}

/** Marks a promise as handled, because it may fail before somebody waits for it. */
function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

async function translateGroup(
  group: readonly Cut[],
  { organization, engine, pair, instructions, signal }: Settings,
  result: TranslatedPages,
): Promise<TranslatedTexts> {
  const texts = group.flatMap(textsOfCut);
  for (const { human } of texts) result.used.add(human);
  return translateTexts(texts, {
    ...{ organization, engine, pair, instructions, signal },
    onBatch: (count) => (result.sent += count),
  });
}

async function makePages(
  group: readonly Cut[],
  translated: TranslatedTexts,
  { settings: { settings, ...run }, result }: { settings: Settings; result: TranslatedPages },
): Promise<void> {
  const { translation, pages, organization, edits, job } = run;
  const ids = group.map(({ source: { id } }) => id);
  const before = await segmentsBefore(translation, { pages: ids, edits });
  const files: { hash: string; source: ReturnType<typeof splitFrontmatter> }[] = [];
  const segments: TranslatedSegmentRecord[] = [];
  const joining = group.map(async (cut) => joinPage(cut, { pages, translated }));
  const joinedPages = await Promise.all(joining);
  run.signal.throwIfAborted();
  for (const [index, { source, file, page }] of group.entries()) {
    const { id, texts } = source;
    const { written, joined } = joinedPages[index] as Joined;
    if (file) {
      const bytes = joined?.file ?? file;
      written.document = createHash('sha256').update(bytes).digest('hex');
      files.push({ hash: written.document, source: splitFrontmatter(bytes) });
    } else if (texts.document !== undefined) written.document = texts.document;
    result.written.set(id, written);
    // On a busy machine a page may exceed its time: the next run makes it again.
    const madeWith = file && !joined ? '' : settings;
    result.made.push({
      ...{ _id: translatedPageId(translation, id), translation, page: id, settings: madeWith },
      ...{ source: texts, written, ...countsOf(page, translated) },
    });
    if (file && (!joined || page?.isUnread)) result.listed.add({ page: id, state: 'kept', reason: tooSlow });
    if (!page) continue;
    const now = new Date();
    const place = { translation, page: id, title: texts.title, job, version: now.getTime() };
    const made = segmentsOf(page, { place, translated, refused: joined?.refused ?? [] });
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
  const cut = group.filter(({ page }) => page).map(({ source: { id } }) => id);
  await replaceTranslatedSegments(segments, { translation, pages: cut, job });
  await faultPoint('translation.listed');
  run.onProgress(result.written.size);
}

type Joined = { written: PageTexts; joined: JoinedPage | undefined };

async function joinPage(
  { source: { texts, isReusable }, file, page }: Cut,
  { pages, translated }: { pages: Pages; translated: TranslatedTexts },
): Promise<Joined> {
  const written = writtenEntry(texts, page, translated);
  if (!file || !page) return { written, joined: undefined };
  // The text of a reusable content has no title line.
  const titles = isReusable ? {} : { source: texts.title, result: written.title };
  const translations = translationsOf(page, translated);
  return { written, joined: await pages.join({ file, translations, titles }) };
}

function writtenEntry(source: PageTexts, page: CutPage | undefined, translated: TranslatedTexts): PageTexts {
  const written: PageTexts = { ...source };
  delete written.document;
  for (const name of entryNames) {
    const text = page?.entry[name];
    const found = text && translated.get(text.key);
    const plain = found && 'text' in found ? plainOf(found.text) : '';
    const most = Math.max(entryLimits[name], 3 * (source[name]?.length ?? 0));
    if (plain !== '' && plain.length <= most) written[name] = plain;
  }
  return written;
}

/** Characters that the API takes. Engines may need more for a text that is longer already. */
const entryLimits = { title: 1_000, linkTitle: 1_000, description: 300 };

/** Titles and descriptions are plain, and one line. */
function plainOf(text: string): string {
  const plain = (partsOfText(text) ?? []).filter((part) => typeof part === 'string').join('');
  return normalized(plain).trim();
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
  for (const text of textsOfCut({ page })) {
    const found = translated.get(text.key);
    words += text.words;
    if (found && 'text' in found) unknownWords += found.unknownWords;
  }
  return { words, unknownWords };
}

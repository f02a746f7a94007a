import type { LanguagePair } from '@bindery/engines';
import { loadDocuments, type ContentTree } from '@bindery/content';
import {
  keepHumanTranslations,
  pairName,
  TranslatedPage,
  translatedPageId,
  type PageTexts,
  type TranslatedPageRecord,
  type TranslationToKeep,
} from '@bindery/models';
import { checkTranslation, textOfParts } from '@bindery/translation';
import { createHash } from 'node:crypto';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { storeDocuments } from '@bindery/content';
import { alignTexts } from './alignTexts.ts';
import { entryNames, entryOf, isSameTexts, textsOf } from './pageTexts.ts';
import type { CutPage, CutText } from './pageWork.ts';
import type { Pages } from './pages.ts';

/** A text that somebody changed in the result. */
export type HandEdit = TranslationToKeep & { page: string };

export type HandEdits = {
  /** The edits that the memory has now. The next translation of their pages contains them. */
  edits: HandEdit[];
  /** The texts of their pages without them, by id; what is left of the changes is merged. */
  without: Map<string, PageTexts>;
};

/**
 * Takes the edits of segments from the result of the last run into the memory, as texts of a person. So they
 * stay as long as their source does, and move with it. Edits of other kinds, such as a new paragraph, are
 * left to the merge.
 *
 * @param written  the tree that the last run made
 * @param head     the present tree of the result
 */
export async function takeHandEdits(
  { written, head }: { written: ContentTree; head: ContentTree },
  {
    translation,
    organization,
    pair,
    pages,
    signal,
  }: {
    translation: string;
    organization: string;
    pair: LanguagePair;
    pages: Pages;
    signal: AbortSignal;
  },
): Promise<HandEdits> {
  const found: HandEdits = { edits: [], without: new Map() };
  if (written.root === head.root) return found;
  for (const { page } of written.all()) {
    const now = head.page(page.id)?.page;
    if (!now || isSameTexts(textsOf(page), textsOf(now))) continue;
    signal.throwIfAborted();
    const record = await TranslatedPage.findById(
      translatedPageId(translation, page.id),
    ).lean<TranslatedPageRecord>();
    // The record of a run that was not published.
    if (!record || !isSameTexts(record.written, textsOf(page))) continue;
    await takeEdits(record, textsOf(now), { organization, pages, found });
  }
  await keepHumanTranslations({ organization, pair: pairName(pair) }, found.edits);
  return found;
}

type Taking = { organization: string; pages: Pages; found: HandEdits };

async function takeEdits(
  { page, source, written }: TranslatedPageRecord,
  now: PageTexts,
  { organization, pages, found }: Taking,
): Promise<void> {
  const hashes = [source.document, written.document, now.document].filter((hash) => hash !== undefined);
  const documents = await loadDocuments(organization, hashes);
  const fileOf = ({ document = '' }: PageTexts) => {
    const stored = documents.get(document);
    return stored && Buffer.concat([stored.frontmatter, stored.body]);
  };
  const cut = async (texts: PageTexts, file = fileOf(texts)) =>
    pages.cut({ file, entry: entryOf(texts) as Record<string, string> });
  const file = fileOf(now);
  const [before, after, edited] = await Promise.all([cut(source), cut(written), cut(now, file)]);
  if (!before || !after || !edited) return;
  const without: PageTexts = { ...now };
  for (const name of entryNames) {
    const [from, text] = [before.entry[name], now[name]];
    if (!from || text === undefined || written[name] === undefined || text === written[name]) continue;
    found.edits.push({ page, ...toKeep(from, textOfParts([text])) });
    without[name] = written[name];
  }
  const reverted = new Map<number, string>();
  for (const { from, was, is, index } of editedSegments({ before, after, edited })) {
    found.edits.push({ page, ...toKeep(from, is.text) });
    reverted.set(index, was.text);
  }
  if (reverted.size > 0 && file) {
    const joined = await pages.join({ file, translations: reverted });
    if (joined) {
      without.document = createHash('sha256').update(joined.file).digest('hex');
      await storeDocuments(organization, [{ hash: without.document, source: splitFrontmatter(joined.file) }]);
    }
  }
  if (!isSameTexts(without, now)) found.without.set(page, without);
}

function toKeep({ human: key, text: source, role }: CutText, text: string): TranslationToKeep {
  return { key, source, role, text };
}

/**
 * The segments that were edited, with their source. A text that the page has twice is left to the merge: the
 * memory has one translation for both.
 */
function* editedSegments({
  before,
  after,
  edited,
}: Record<'before' | 'after' | 'edited', CutPage>): Iterable<{
  from: CutText;
  was: CutText;
  is: CutText;
  index: number;
}> {
  if (before.segments.length !== after.segments.length) return;
  const counts = new Map<string, number>();
  for (const { key } of before.segments) counts.set(key, (counts.get(key) ?? 0) + 1);
  const textOf = ({ role, text }: CutText) => `${role} ${text}`;
  for (const [old, index] of alignTexts(after.segments.map(textOf), edited.segments.map(textOf))) {
    const from = before.segments[old] as CutText;
    const was = after.segments[old] as CutText;
    const is = edited.segments[index] as CutText;
    if (was.text === is.text || was.role !== is.role || counts.get(from.key) !== 1) continue;
    const failures = checkTranslation(from.text, is.text);
    if (failures.some(({ code }) => code === 'placeholders' || code === 'not_readable')) continue;
    yield { from, was, is, index };
  }
}

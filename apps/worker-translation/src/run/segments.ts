import {
  maxListedSource,
  removedSegment,
  replaceTranslatedSegments,
  TranslatedSegment,
  translatedSegmentId,
  type TranslatedSegmentRecord,
} from '@bindery/models';
import { alignTexts } from './alignTexts.ts';
import type { HandEdit } from './handEdits.ts';
import type { CutPage, CutText } from './pageWork.ts';
import type { TranslatedTexts } from './translateTexts.ts';

type Place = Pick<TranslatedSegmentRecord, 'translation' | 'page' | 'title' | 'job' | 'version'>;

/**
 * Makes the records of a page's segments, in order. A text that the page has twice is one segment.
 *
 * @param refused  indexes of segments of the page whose translation did not fit into it
 */
export function segmentsOf(
  { entry, segments }: CutPage,
  { place, translated, refused }: { place: Place; translated: TranslatedTexts; refused: readonly number[] },
): TranslatedSegmentRecord[] {
  const notFitting = new Set(refused.map((index) => segments[index]));
  const byKey = new Map<string, TranslatedSegmentRecord>();
  for (const text of [...Object.values(entry), ...segments]) {
    const { human: key, role, text: source, terms, words } = text;
    if (byKey.has(key)) continue;
    byKey.set(key, {
      _id: translatedSegmentId({ ...place, key }),
      ...place,
      ...{ position: byKey.size, key, role, source: source.slice(0, maxListedSource), words },
      terms: terms.length > 0 ? terms.map((term) => [term.source, term.target]) : undefined,
      ...resultOf(text, { translated, fits: !notFitting.has(text) }),
    });
  }
  return [...byKey.values()];
}

function resultOf(
  { key }: CutText,
  { translated, fits }: { translated: TranslatedTexts; fits: boolean },
): Pick<TranslatedSegmentRecord, 'state' | 'target' | 'reason' | 'unknownWords'> {
  const found = translated.get(key) ?? { kept: 'There is no translation.' };
  if ('kept' in found) return { state: 'kept', reason: found.kept };
  if (!fits) return { state: 'kept', reason: 'Its translation would change the structure of the page.' };
  const { text: target, origin: state, unknownWords } = found;
  return { state, target, unknownWords: unknownWords || undefined };
}

/**
 * Finds the segments that the last run wrote into pages with texts of people, in order.
 *
 * @returns by page; pages without such a text are missing
 */
export async function segmentsBefore(
  translation: string,
  { pages, edits }: { pages: readonly string[]; edits: readonly HandEdit[] },
): Promise<Map<string, TranslatedSegmentRecord[]>> {
  const edited = new Set(edits.map(({ page }) => page));
  const withTexts = await TranslatedSegment.distinct('page', {
    ...{ translation, state: { $in: ['human', 'conflict'] }, page: { $in: pages } },
  });
  const concerned = [...new Set([...withTexts, ...pages.filter((page) => edited.has(page))])];
  if (concerned.length === 0) return new Map();
  const found = await TranslatedSegment.find({
    ...{ translation, page: { $in: concerned }, state: { $ne: 'removed' } },
  })
    .sort({ page: 1, position: 1 })
    .lean<TranslatedSegmentRecord[]>();
  return Map.groupBy(found, ({ page }) => page);
}

/**
 * Lists the texts of people whose source has changed beside the new translation of that place, as conflicts,
 * and those whose source is gone as removed.
 *
 * @param before  the segments that the last run wrote into the page
 * @param edits   the edits of the page that were found since
 * @returns the segments with their conflicts, and removed ones at the end
 */
export function withConflicts(
  segments: readonly TranslatedSegmentRecord[],
  {
    before,
    edits,
    job,
    now,
  }: { before: readonly TranslatedSegmentRecord[]; edits: readonly HandEdit[]; job: string; now: Date },
): TranslatedSegmentRecord[] {
  const editOf = new Map(edits.map((edit) => [edit.key, edit.text]));
  const result = new Map(segments.map((segment) => [segment.key, segment]));
  const removed: TranslatedSegmentRecord[] = [];
  const known = new Set(before.map(({ key }) => key));
  const followers = new Map(
    alignTexts(before.map(textOf), segments.map(textOf)).map(([old, now]) => [old, segments[now]?.key]),
  );
  for (const [index, old] of before.entries()) {
    const replaced = personsText(old, editOf);
    // A person's text that the page has needs no attention.
    if (!replaced || result.get(replaced.key)?.state === 'human') continue;
    const same = result.get(old.key);
    const follower = followers.get(index);
    const next = same ?? (follower === undefined || known.has(follower) ? undefined : result.get(follower));
    if (!next) removed.push(removedSegment({ ...old, ...replaced }, { job, now }));
    else if (next.state !== 'human' && !(same && old.state !== 'conflict'))
      result.set(next.key, { ...next, state: 'conflict', replaced: next.replaced ?? replaced });
  }
  return [...result.values(), ...removed];
}

/**
 * Lists the texts of people that have no source any more, and removes the segments of pages that are gone.
 *
 * @param left  texts whose source has left its page
 * @param gone  pages that the source no longer has
 * @param used  keys of the texts in all pages that the run has made: a text among them has only moved
 */
export async function listRemoved(
  translation: string,
  {
    left,
    gone,
    used,
    job,
  }: {
    left: readonly TranslatedSegmentRecord[];
    gone: readonly string[];
    used: ReadonlySet<string>;
    job: string;
  },
): Promise<TranslatedSegmentRecord[]> {
  const moved = left.filter(({ key }) => used.has(key)).map(({ _id }) => _id);
  if (moved.length > 0) await TranslatedSegment.deleteMany({ _id: { $in: moved } });
  const removed = left.filter(({ key }) => !used.has(key));
  if (gone.length === 0) return removed;
  const ofGone = await TranslatedSegment.find({
    ...{ translation, state: { $in: ['human', 'conflict'] }, page: { $in: gone } },
  }).lean<TranslatedSegmentRecord[]>();
  const now = new Date();
  const listed = ofGone
    .map((segment) => removedSegment(segment, { job, now }))
    .filter(({ key }) => !used.has(key));
  await replaceTranslatedSegments(listed, { translation, pages: gone, job });
  return [...removed, ...listed];
}

/** A person's text for a segment, and the source that it was written for. */
function personsText(
  { key, state, source, target, replaced }: TranslatedSegmentRecord,
  edits: ReadonlyMap<string, string>,
): TranslatedSegmentRecord['replaced'] {
  const edited = edits.get(key);
  if (edited !== undefined) return { key, source, target: edited };
  if (state === 'conflict') return replaced;
  return state === 'human' && target !== undefined ? { key, source, target } : undefined;
}

function textOf({ role, source }: TranslatedSegmentRecord): string {
  return `${role} ${source}`;
}

import { ApiError, invalid, notFound } from '@bindery/contract';
import {
  maxListedSource,
  TranslatedSegment,
  type TranslatedSegmentRecord,
  type TranslationRecord,
} from '@bindery/models';
import { checkTranslation, partsOfText, type FailureCode } from '@bindery/translation';
import { keepTexts, pairOf, showTexts } from './exchange/keepTexts.ts';

/** A person may write other numbers, longer texts and new links; a page takes no other tags. */
const refused: readonly FailureCode[] = ['not_readable', 'placeholders', 'empty_pair'];
/** Characters of the title of a page. */
const maxTitle = 1_000;

/**
 * Stores a person's text for a segment in the memory, and makes the translations that use it due for a run.
 *
 * @throws invalid_request when the text is blank, has other tags than the source or is too long for a title;
 *   conflict when the segment has no source any more, or when only the beginning of its source is known
 */
export async function changeSegment(
  segment: TranslatedSegmentRecord,
  { translation, text }: { translation: TranslationRecord; text: string },
): Promise<TranslatedSegmentRecord> {
  const { key, source, role, state } = segment;
  if (state === 'removed')
    throw new ApiError('conflict', 'The source of this text is no longer in the page.', {
      action: 'Translate the text that replaces it.',
    });
  if (source.length >= maxListedSource)
    throw new ApiError('conflict', 'The text is too long to be translated here.', {
      action: 'Split it in the source, or edit the page in the result.',
    });
  const failure = checkTranslation(source, text).find(({ code }) => refused.includes(code));
  if (failure) throw invalid('body.text', `must have the tags of the source. ${failure.message}`);
  if (isBlank(text)) throw invalid('body.text', 'must not be blank.');
  if (role === 'title' && text.length > maxTitle)
    throw invalid('body.text', `must have at most ${maxTitle} characters, because it is a title.`);
  const { organization } = translation;
  const texts = [{ key, source, role, text }];
  let changed: TranslatedSegmentRecord | null = null;
  await keepTexts({ organization, pair: pairOf(translation) }, texts, async (session) => {
    await showTexts(translation, texts, session);
    changed = await TranslatedSegment.findById(segment._id).session(session).lean<TranslatedSegmentRecord>();
  });
  if (!changed) throw notFound('text of the translation', segment._id);
  return changed;
}

function isBlank(text: string): boolean {
  return (partsOfText(text) ?? []).every((part) => typeof part === 'string' && part.trim() === '');
}

import {
  keepHumanTranslations,
  pairName,
  requestTranslations,
  withTransaction,
  type ClientSession,
  TranslatedSegment,
  type TranslationRecord,
  type TranslationToKeep,
} from '@bindery/models';

/** An organization, and the languages of its texts. */
export type Texts = { organization: string; pair: { source: string; target: string } };

export function pairOf({ source, language }: TranslationRecord): Texts['pair'] {
  return { source: source.language, target: language };
}

/**
 * Stores texts of a person in the memory, and makes the translations that use them due for a run, all or
 * none.
 *
 * @param also  writes in the same transaction
 */
export async function keepTexts(
  { organization, pair }: Texts,
  texts: readonly TranslationToKeep[],
  also?: (session: ClientSession) => Promise<void>,
): Promise<void> {
  if (texts.length === 0) return;
  await withTransaction(async (session) => {
    await keepHumanTranslations({ organization, pair: pairName(pair) }, texts, session);
    await requestTranslations(
      { organization, 'source.language': pair.source, language: pair.target },
      session,
    );
    await also?.(session);
  });
}

/**
 * Shows texts of a person in all segments of a translation that have them. The next run writes them into the
 * pages.
 */
export async function showTexts(
  { _id: translation }: TranslationRecord,
  texts: readonly { key: string; text: string }[],
  session: ClientSession,
): Promise<void> {
  const writes = texts.map(({ key, text: target }) => ({
    updateMany: {
      filter: { translation, key, state: { $ne: 'removed' as const } },
      update: {
        $set: { state: 'human' as const, target, isPending: true as const },
        $unset: { reason: 1 as const, replaced: 1 as const, unknownWords: 1 as const },
        $inc: { version: 1 },
      },
    },
  }));
  await TranslatedSegment.collection.bulkWrite(writes as never, { session });
}

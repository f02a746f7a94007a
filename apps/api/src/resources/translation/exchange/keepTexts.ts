import {
  keepHumanTranslations,
  pairName,
  requestTranslations,
  withTransaction,
  type ClientSession,
  type TranslationToKeep,
} from '@bindery/models';

/** An organization, and the languages of its texts. */
export type Texts = { organization: string; pair: { source: string; target: string } };

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

import { invalid, type UpdateGlossary } from '@bindery/contract';
import {
  GlossaryEntry,
  requestTranslations,
  serialized,
  withTransaction,
  type ClientSession,
  type GlossaryEntryRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

type Operation = UpdateGlossary['operations'][number];

/**
 * Applies operations to an organization's glossary in order, all or none. An update replaces all terms of its
 * entry; deleting a missing entry does nothing. Translations between the languages of the entries become due
 * for a run.
 *
 * @throws invalid_request when an update names a missing entry
 */
export async function changeGlossary(organization: string, operations: readonly Operation[]): Promise<void> {
  await serialized(`glossary:${organization}`, async () =>
    withTransaction(async (session) => {
      const languages = new Set<string>();
      for (const [index, operation] of operations.entries())
        for (const language of await apply(organization, { operation, index, session }))
          languages.add(language);
      const concerned = { $in: [...languages] };
      if (languages.size > 1)
        await requestTranslations(
          { organization, 'source.language': concerned, language: concerned },
          session,
        );
    }),
  );
}

/** @returns the languages of the entry, before and after */
async function apply(
  organization: string,
  { operation, index, session }: { operation: Operation; index: number; session: ClientSession },
): Promise<string[]> {
  const now = new Date();
  if (operation.type === 'insert') {
    const { translations } = operation;
    await GlossaryEntry.create(
      [{ _id: newId(), organization, translations, createdAt: now, updatedAt: now }],
      { session },
    );
    return Object.keys(translations);
  }
  const entry = { _id: operation.id, organization };
  if (operation.type === 'delete') {
    const deleted = await GlossaryEntry.findOneAndDelete(entry, { session }).lean<GlossaryEntryRecord>();
    return Object.keys(deleted?.translations ?? {});
  }
  const { translations } = operation;
  const before = await GlossaryEntry.findOneAndUpdate(
    entry,
    { $set: { translations, updatedAt: now } },
    { session },
  ).lean<GlossaryEntryRecord>();
  if (!before) throw invalid(`body.operations[${index}].id`, 'is not the id of an entry of the glossary.');
  return [...Object.keys(before.translations), ...Object.keys(translations)];
}

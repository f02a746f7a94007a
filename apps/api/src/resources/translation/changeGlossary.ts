import { invalid, type UpdateGlossary } from '@bindery/contract';
import { GlossaryEntry, serialized, withTransaction, type ClientSession } from '@bindery/models';
import { newId } from '@bindery/runtime';

type Operation = UpdateGlossary['operations'][number];

/**
 * Applies operations to an organization's glossary in order, all or none. An update replaces all terms of its
 * entry; deleting a missing entry does nothing.
 *
 * @throws invalid_request when an update names a missing entry
 */
export async function changeGlossary(organization: string, operations: readonly Operation[]): Promise<void> {
  await serialized(`glossary:${organization}`, async () =>
    withTransaction(async (session) => {
      for (const [index, operation] of operations.entries())
        await apply(organization, { operation, index, session });
    }),
  );
}

async function apply(
  organization: string,
  { operation, index, session }: { operation: Operation; index: number; session: ClientSession },
): Promise<void> {
  const now = new Date();
  if (operation.type === 'insert') {
    const { translations } = operation;
    await GlossaryEntry.create(
      [{ _id: newId(), organization, translations, createdAt: now, updatedAt: now }],
      { session },
    );
    return;
  }
  const entry = { _id: operation.id, organization };
  if (operation.type === 'delete') {
    await GlossaryEntry.deleteOne(entry, { session });
    return;
  }
  const { translations } = operation;
  const { matchedCount } = await GlossaryEntry.updateOne(
    entry,
    { $set: { translations, updatedAt: now } },
    { session },
  );
  if (matchedCount === 0)
    throw invalid(`body.operations[${index}].id`, 'is not the id of an entry of the glossary.');
}

import { ApiError, notFound, type DocumentTree } from '@bindery/contract';
import {
  Overtaken,
  retryOptimistic,
  serialized,
  Space,
  Translation,
  type JobRecord,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { translationJobs } from '../definitions/translation.ts';
import { acceptOrJoin } from './acceptOrJoin.ts';

type Run = { translation: TranslationRecord; job: JobRecord };
type Caller = { startedBy: string; traceparent?: string | undefined };

/**
 * Starts a run with the current content of the source. Joins an unfinished run with the same input;
 * supersedes one that has not started.
 *
 * @throws not_found when the translation has been deleted; conflict when others keep changing its
 *   instructions
 */
export async function runTranslation(translation: TranslationRecord, caller: Caller): Promise<Run> {
  return startRun(translation._id, caller);
}

/**
 * Starts a job that counts what a run with the current content would cost, and writes nothing. Joins an
 * unfinished one.
 */
export async function estimateTranslation(
  translation: Pick<TranslationRecord, '_id' | 'organization'>,
  { startedBy, traceparent }: Caller,
): Promise<JobRecord> {
  const { _id: id, organization } = translation;
  return acceptOrJoin(translationJobs.estimateTranslation, {
    organization,
    subject: { type: 'translation', id },
    startedBy,
    permission: 'translation.edit',
    traceparent,
    input: { translationId: id },
    joinKey: `translation-estimate:${id}`,
  });
}

/**
 * Changes the instructions of a translation and starts a run with them, both or none.
 *
 * @throws not_found when it has been deleted; conflict when others keep changing its instructions
 */
export async function changeInstructions(
  translation: TranslationRecord,
  { instructions, ...caller }: Caller & { instructions: DocumentTree },
): Promise<Run> {
  return startRun(translation._id, { ...caller, instructions: JSON.stringify(instructions) });
}

/**
 * A key that identifies the result of a run: the revision of the source, that of the instructions, and the
 * changes of all else that it depends on.
 */
export function translationRunKey(
  {
    _id,
    instructionsRevision,
    requests = 0,
  }: Pick<TranslationRecord, '_id' | 'instructionsRevision' | 'requests'>,
  source: Pick<SpaceRecord, 'revision'> | null,
): string {
  return `translation:${_id}:${source?.revision ?? ''}:${instructionsRevision}:${requests}`;
}

type Start = Caller & { instructions?: string };

async function startRun(id: string, start: Start): Promise<Run> {
  return serialized(`translation:${id}`, async () =>
    retryOptimistic({
      attempts: 10,
      attempt: async () => {
        const current = await Translation.findById(id).lean<TranslationRecord>();
        if (!current) throw notFound('translation', id);
        return startOnce(current, start);
      },
      refusal: () =>
        new ApiError(
          'conflict',
          'Others keep changing the instructions of the translation; nothing was started.',
          {
            action: 'Send the request again in a moment.',
          },
        ),
    }),
  );
}

/** @throws Overtaken when another process has changed the instructions */
async function startOnce(
  translation: TranslationRecord,
  { startedBy, traceparent, instructions }: Start,
): Promise<Run> {
  const { _id: id, organization, instructionsRevision: revision, requests } = translation;
  const next = instructions === undefined ? revision : revision + 1;
  const source = await Space.findOne(
    { _id: translation.source.space, organization },
    { revision: 1 },
  ).lean<SpaceRecord>();
  let changed: TranslationRecord | null = null;
  const job = await acceptOrJoin(translationJobs.runTranslation, {
    organization,
    subject: { type: 'translation', id },
    startedBy,
    permission: 'translation.edit',
    traceparent,
    input: { translationId: id },
    joinKey: translationRunKey({ ...translation, instructionsRevision: next }, source),
    supersedes: 'unstarted',
    also: async (session, jobId) => {
      changed = await Translation.findOneAndUpdate(
        { _id: id, instructionsRevision: revision, requests: requests ?? null },
        {
          $unset: { due: 1 },
          $set: {
            job: jobId,
            ...(instructions !== undefined && {
              instructions,
              instructionsRevision: next,
              updatedAt: new Date(),
            }),
          },
          ...(instructions !== undefined && { $inc: { version: 1 } }),
        },
        { session, returnDocument: 'after' },
      ).lean<TranslationRecord>();
      if (!changed) throw new Overtaken();
    },
  });
  // A run with the next revision of the instructions belongs to a faster request.
  if (!changed && instructions !== undefined) throw new Overtaken();
  if (!changed && translation.due)
    await Translation.updateOne({ _id: id, requests: requests ?? null }, { $unset: { due: 1 } });
  return { job, translation: changed ?? translation };
}

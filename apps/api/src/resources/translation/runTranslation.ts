import { ApiError, notFound, type DocumentTree } from '@bindery/contract';
import { acceptOrJoin, translationJobs } from '@bindery/jobs';
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

type Run = { translation: TranslationRecord; job: JobRecord };
type Caller = { startedBy: string; traceparent: string };

/**
 * Starts a run of what the source holds now. One that has not ended and would do the same is joined; one that
 * has not started gives way.
 *
 * @throws not_found when the translation was removed meanwhile; conflict when others keep changing its
 *   instructions
 */
export async function runTranslation(translation: TranslationRecord, caller: Caller): Promise<Run> {
  return startRun(translation._id, caller);
}

/**
 * Gives a translation other instructions and starts a run that goes by them; both or none.
 *
 * @throws not_found when it was removed meanwhile; conflict when others keep changing its instructions
 */
export async function changeInstructions(
  translation: TranslationRecord,
  { instructions, ...caller }: Caller & { instructions: DocumentTree },
): Promise<Run> {
  return startRun(translation._id, { ...caller, instructions: JSON.stringify(instructions) });
}

/** Names what a run gives: a translation of this revision by these instructions. */
export function runKey(
  { _id, instructionsRevision }: Pick<TranslationRecord, '_id' | 'instructionsRevision'>,
  source: Pick<SpaceRecord, 'revision'> | null,
): string {
  return `translation:${_id}:${source?.revision ?? ''}:${instructionsRevision}`;
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

/** @throws Overtaken when another process has changed the instructions since */
async function startOnce(
  translation: TranslationRecord,
  { startedBy, traceparent, instructions }: Start,
): Promise<Run> {
  const { _id: id, organization, instructionsRevision: revision } = translation;
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
    joinKey: runKey({ _id: id, instructionsRevision: next }, source),
    supersedes: true,
    also: async (session, jobId) => {
      changed = await Translation.findOneAndUpdate(
        { _id: id, instructionsRevision: revision },
        {
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
  // A run with the next instructions is that of somebody who was quicker.
  if (!changed && instructions !== undefined) throw new Overtaken();
  return { job, translation: changed ?? translation };
}

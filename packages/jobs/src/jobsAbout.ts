import { ApiError } from '@bindery/contract';
import { jobCollection, type ClientSession } from '@bindery/models';
import { cancelJob } from './controlJob.ts';

/**
 * Hides the jobs of a subject that is removed in this transaction, or of everything in a space that is: with it goes what would decide who sees
 * them.
 */
export async function hideJobsAbout(subjectId: string, session: ClientSession): Promise<void> {
  await jobCollection().updateMany(of([subjectId]), { $set: { isSubjectGone: true } }, { session });
}

/** Has the jobs of spaces follow them into another organization: they are listed there, and nowhere else. */
export async function transferJobsOf(
  spaces: readonly string[],
  { organization, session }: { organization: string; session: ClientSession },
): Promise<void> {
  await jobCollection().updateMany(of(spaces), { $set: { organization } }, { session });
}

function of(ids: readonly string[]) {
  return { $or: [{ 'subject.id': { $in: ids } }, { space: { $in: ids } }] };
}

/** Cancels the jobs of subjects, and of everything in spaces, that have not ended. A job that is missed here finds its subject gone. */
export async function cancelJobsAbout(subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  const jobs = await jobCollection()
    .find({ ...of(subjects), state: { $in: ['accepted', 'queued', 'running'] } }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of jobs) {
    try {
      await cancelJob(_id);
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    }
  }
}

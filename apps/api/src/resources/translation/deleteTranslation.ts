import { cancelJobsAbout, hideJobsAbout } from '@bindery/jobs';
import { Translation, withTransaction } from '@bindery/models';

/** Removes a translation and stops its runs. The space of its result stays: it is content like any other. */
export async function deleteTranslation(id: string): Promise<void> {
  await withTransaction(async (session) => {
    await Translation.deleteOne({ _id: id }, { session });
    await hideJobsAbout(id, session);
  });
  await cancelJobsAbout([id]);
}

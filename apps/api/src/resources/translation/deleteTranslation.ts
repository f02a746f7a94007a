import { cancelJobsAbout, hideJobsAbout } from '@bindery/jobs';
import {
  removeTranslatedPages,
  removeTranslatedSegments,
  Translation,
  withTransaction,
} from '@bindery/models';

/** Deletes a translation and cancels its runs. The space of its result stays as normal content. */
export async function deleteTranslation(id: string): Promise<void> {
  await withTransaction(async (session) => {
    await Translation.deleteOne({ _id: id }, { session });
    await removeTranslatedPages(id, session);
    await hideJobsAbout(id, session);
  });
  await cancelJobsAbout([id]);
  // A run that writes segments after this finds by itself that the translation is gone.
  await removeTranslatedSegments(id);
}

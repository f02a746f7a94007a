import { cancelJobsAbout, hideJobsAbout } from '@bindery/jobs';
import { JobOutcome, OpenAPISpec, OpenAPISpecVersion, withTransaction } from '@bindery/models';

/** Removes a specification with its versions, and stops what still works on it. */
export async function deleteSpec(id: string): Promise<void> {
  await withTransaction(async (session) => {
    await OpenAPISpec.deleteOne({ _id: id }, { session });
    await OpenAPISpecVersion.deleteMany({ spec: id }, { session });
    await hideJobsAbout(id, session);
    await JobOutcome.deleteMany({ 'subject.id': id }, { session });
  });
  await cancelJobsAbout([id]);
}

import { cancelJobsAbout, hideJobsAbout } from '@bindery/jobs';
import {
  JobOutcome,
  OpenAPISpec,
  OpenAPISpecVersion,
  requestSpecFollowUp,
  withTransaction,
  type OpenAPISpecRecord,
} from '@bindery/models';

/** Deletes a specification with its versions, and cancels its unfinished jobs. */
export async function deleteSpec(id: string): Promise<void> {
  await withTransaction(async (session) => {
    const spec = await OpenAPISpec.findOneAndDelete({ _id: id }, { session }).lean<OpenAPISpecRecord>();
    if (spec) await requestSpecFollowUp(spec, session);
    await OpenAPISpecVersion.deleteMany({ spec: id }, { session });
    await hideJobsAbout(id, session);
    await JobOutcome.deleteMany({ 'subject.id': id }, { session });
  });
  await cancelJobsAbout([id]);
}

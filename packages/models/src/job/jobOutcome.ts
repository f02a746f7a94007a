import mongoose, { Schema } from 'mongoose';
import { mongoDatabase } from '../database/connection.ts';
import { jobFields, type JobRecord } from './job.ts';

/**
 * The outcome of a job, which its resource shows after the job's record has expired. It has the form of that record, so that the same queries work on
 * both, but neither log nor attempts, and it has `space` also when the subject is a space. packages/jobs writes it.
 */
export type JobOutcomeRecord = JobRecord & {
  /** Id of the job. `_id` names the place that shows the outcome: the next job with that place replaces it. A job with a place of its own has its id there. */
  job: string;
};

const schema = new Schema<JobOutcomeRecord>({ ...jobFields, job: { type: String, required: true } } as never, {
  collection: 'jobOutcomes',
  versionKey: false,
  minimize: false,
});
schema.index({ job: 1 });
schema.index({ 'subject.id': 1, kind: 1, createdAt: -1 });
schema.index({ space: 1 }, { sparse: true });
schema.index({ organization: 1, kind: 1, createdAt: -1, _id: -1 });
schema.index({ joinKey: 1 }, { partialFilterExpression: { joinKey: { $exists: true } } });

/** For lists, and for removing outcomes with their subject. */
export const JobOutcome = mongoose.model('JobOutcome', schema);

/** The driver's collection, because it is written with update pipelines, which Mongoose does not check against a schema. */
export function jobOutcomeCollection() {
  return mongoDatabase().collection<JobOutcomeRecord>('jobOutcomes');
}

/** The outcomes of the jobs that match, in the form of their records. */
export async function findOutcomes(filter: Parameters<ReturnType<typeof jobOutcomeCollection>['find']>[0]): Promise<JobRecord[]> {
  const outcomes = await jobOutcomeCollection().find(filter).toArray();
  return outcomes.map(jobOf);
}

/** The fields of a job's record that its outcome keeps. */
export function jobOf({ job, ...outcome }: JobOutcomeRecord): JobRecord {
  return { ...outcome, _id: job };
}

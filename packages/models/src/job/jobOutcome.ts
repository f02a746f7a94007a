import mongoose, { Schema } from 'mongoose';
import { mongoDatabase } from '../database/connection.ts';
import { jobFields, type JobRecord } from './job.ts';

/**
 * The outcome of a job, which its resource shows after the job's record has expired. It has the form of that
 * record, for the same queries, but neither log nor attempts, and `space` is set also when the subject is a
 * space. packages/jobs writes it.
 */
export type JobOutcomeRecord = JobRecord & {
  /**
   * Id of the job. `_id` names the place where the outcome is shown: the next job with the same place
   * replaces it. A job with a place of its own has its id there.
   */
  job: string;
};

const schema = new Schema<JobOutcomeRecord>(
  { ...jobFields, job: { type: String, required: true } } as never,
  {
    collection: 'jobOutcomes',
    versionKey: false,
    minimize: false,
  },
);
schema.index({ job: 1 });
schema.index({ 'subject.id': 1, kind: 1, createdAt: -1 });
schema.index({ space: 1 }, { sparse: true });
schema.index({ organization: 1, kind: 1, createdAt: -1, _id: -1 });
schema.index({ joinKey: 1 }, { partialFilterExpression: { joinKey: { $exists: true } } });

/** For lists, and to remove outcomes with their subject. */
export const JobOutcome = mongoose.model('JobOutcome', schema);

/** The driver's collection, because Mongoose does not check update pipelines against a schema. */
export function jobOutcomeCollection() {
  return mongoDatabase().collection<JobOutcomeRecord>('jobOutcomes');
}

/** Finds the outcomes of matching jobs, in the form of job records. */
export async function findOutcomes(
  filter: Parameters<ReturnType<typeof jobOutcomeCollection>['find']>[0],
): Promise<JobRecord[]> {
  const outcomes = await jobOutcomeCollection().find(filter).toArray();
  return outcomes.map(jobOf);
}

/** Converts an outcome to a job record. */
export function jobOf({ job, ...outcome }: JobOutcomeRecord): JobRecord {
  return { ...outcome, _id: job };
}

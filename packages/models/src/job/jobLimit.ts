import mongoose, { Schema } from 'mongoose';

/** How many jobs of a kind run at once, as an operator has set it: it holds for all workers until cleared. */
export type JobLimitRecord = {
  /** `jobLimitId` of the kind and of what the limit is for. */
  _id: string;
  kind: string;
  /** Whether it limits each worker process, each organization, or the organization named here. */
  per: 'process' | 'organization';
  organization?: string;
  limit: number;
  /** The operator: the id of a user, or `cli:<user of the machine>`. */
  setBy: string;
  setAt: Date;
};

/** The place of a limit: setting it again replaces it. */
export function jobLimitId({
  kind,
  per,
  organization,
}: Pick<JobLimitRecord, 'kind' | 'per' | 'organization'>): string {
  return [kind, per, organization].filter((part) => part !== undefined).join(' ');
}

export const JobLimit = mongoose.model(
  'JobLimit',
  new Schema<JobLimitRecord>(
    {
      _id: String,
      kind: { type: String, required: true },
      per: { type: String, required: true } as never,
      organization: String,
      limit: { type: Number, required: true },
      setBy: { type: String, required: true },
      setAt: { type: Date, required: true },
    },
    { collection: 'jobLimits', versionKey: false },
  ),
);

import type { Job, JobState } from '@bindery/contract';
import { explainWaiting } from '@bindery/jobs';
import { jobCollection, Space, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/paging.ts';
import { presentJob } from './job.presenter.ts';

export type JobFilter = { kind?: string | undefined; state?: JobState | undefined; subject?: string | undefined };

/** The jobs of an organization whose subject the member may see, newest first. */
export async function pageOfJobs(
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
  { limit, after, kind, state, subject }: PageQuery & JobFilter,
): Promise<Page<Job>> {
  const hidden = await hiddenSubjects(organization._id, member);
  if (hidden === 'all') return { items: [], count: 0 };
  const filter = {
    organization: organization._id,
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(subject !== undefined && { 'subject.id': subject }),
    ...(hidden.length > 0 && { $nor: [{ 'subject.id': { $in: hidden } }] }),
  };
  const [count, jobs] = await Promise.all([
    jobCollection().countDocuments(filter),
    jobCollection()
      .find({ ...filter, ...(after && beforePlace(after)) })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit + 1)
      .toArray(),
  ]);
  const { items, next } = cutPage(jobs, limit, (job) => [job.createdAt.toISOString(), job._id]);
  return { count, next, items: await Promise.all(items.map(async (job) => presentJob(job, await explainWaiting(job)))) };
}

/** Spaces whose own level shuts this member out. They are few: closing a space to the organization is the exception. */
async function hiddenSubjects(organization: string, member: MemberRecord): Promise<string[] | 'all'> {
  if (member.role === 'admin') return [];
  if (member.role === null) return 'all';
  return Space.distinct('_id', { organization, defaultLevel: null });
}

function beforePlace([createdAt, id]: readonly unknown[]) {
  const time = new Date(String(createdAt));
  return { $or: [{ createdAt: { $lt: time } }, { createdAt: time, _id: { $lt: String(id) } }] };
}

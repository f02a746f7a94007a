import { jobCollection } from '@bindery/models';

/** Counts the jobs that print PDFs, were started by this user, and have not ended; up to `limit`. */
export async function countUnfinishedPdfs(startedBy: string, limit: number): Promise<number> {
  return jobCollection().countDocuments(
    { startedBy, queue: 'pdf', state: { $in: ['accepted', 'queued', 'running'] } },
    { limit },
  );
}

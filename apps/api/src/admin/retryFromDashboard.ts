import { ApiError } from '@bindery/contract';
import { jobOfQueueEntry, retryJob } from '@bindery/jobs';
import type { RequestHandler } from 'express';
import { refuse } from './refuse.ts';

/**
 * Replaces the dashboard's own write operations. The only one, when enabled, retries a job through its record
 * in MongoDB. All others would change only Redis, which has no effect on the record.
 */
export function retryFromDashboard({ isWritable }: { isWritable: boolean }): RequestHandler {
  return async (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    const entryId = /^\/api\/queues\/[^/]+\/([^/]+)\/retry$/.exec(request.path)?.[1];
    const jobId = jobOfQueueEntry(entryId ?? '');
    if (!isWritable || jobId === undefined) {
      const problem = isWritable ? 'The dashboard can only retry a job.' : 'The dashboard is read-only.';
      refuse(request, response, new ApiError('method_not_allowed', problem));
      return;
    }
    try {
      await retryJob(jobId);
      response.status(204).end();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(request, response, error);
    }
  };
}

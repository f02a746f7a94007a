import { ApiError } from '@bindery/contract';
import { retryJob } from '@bindery/jobs';
import type { RequestHandler } from 'express';
import { refuse } from './refuse.ts';

/**
 * What the dashboard may change, instead of its own way of doing it: one job can be retried, by its record in
 * MongoDB, when that is switched on. Everything else would only change Redis, from which nothing follows.
 */
export function retryFromDashboard({ isWritable }: { isWritable: boolean }): RequestHandler {
  return async (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    // BullMQ's ids are `j-<job>-<dispatch>`.
    const jobId = /^\/api\/queues\/[^/]+\/j-([0-9A-Za-z]+)-\d+\/retry$/.exec(request.path)?.[1];
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

import { fromDigits, Job, text } from '@bindery/contract';
import { cancelJob, retryJob } from '@bindery/jobs';
import { z } from 'zod';
import { inOrganization } from '../organization/organization.scope.ts';
import { inJob } from './job.scope.ts';
import { jobsCounted, pageOfJobs } from './pageOfJobs.ts';
import { replayJobs } from './replayJobs.ts';
import { showJob } from './showJob.ts';
import { streamJobEvents } from './streamJobEvents.ts';
import { waitForEnd } from './waitForEnd.ts';

const maxWaitSeconds = 60;

const ReplayJobs = z
  .strictObject({
    kind: text(1, 50).optional(),
    state: z.enum(['failed', 'cancelled', 'timed_out']).default('failed'),
    code: text(1, 50).optional(),
    dryRun: z.boolean().default(true),
  })
  .meta({ id: 'ReplayJobs' });

export const jobRoutes = [
  inJob.get(
    '',
    {
      operationId: 'getJobById',
      summary: 'Get a job; `wait` delays the answer until it has ended or that many seconds have passed',
      permission: 'job.view',
      query: z.object({ wait: fromDigits(z.int().min(0).max(maxWaitSeconds).default(0)) }),
      response: Job,
    },
    async ({ platform, actor, job, mayControl, query, request }) => {
      const shown =
        query.wait === 0
          ? job
          : await waitForEnd(job, { platform, actor, request, waitMs: query.wait * 1_000 });
      return { ...(await showJob(shown, platform.links)), permissions: { control: mayControl } };
    },
  ),

  inJob.raw(
    'get',
    '/events',
    {
      operationId: 'streamJobEvents',
      summary: 'Follow a job as server-sent events',
      description:
        'Sends a `job` event with the whole job, then one for each change; slow clients get the newest state instead of each one. ' +
        '`Last-Event-ID` resumes after a broken connection. If the caller loses access to the job, a last event `closed` contains the ' +
        'error.',
      permission: 'job.view',
      answers: [
        { status: 200, description: 'Events until the job has ended.', contentType: 'text/event-stream' },
        { status: 204, description: 'The job has ended, and `Last-Event-ID` names its last event.' },
      ],
    },
    async ({ platform, actor, job }, request, response) =>
      streamJobEvents({ platform, actor, job }, request, response),
  ),

  inJob.post(
    '/cancel',
    {
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      permission: 'job.control',
      response: Job,
    },
    async ({ platform: { links }, job }) => showJob(await cancelJob(job._id), links),
  ),

  inJob.post(
    '/retry',
    {
      operationId: 'retryJob',
      summary: 'Run an ended job again',
      permission: 'job.control',
      response: Job,
      startsJob: true,
    },
    async ({ platform: { links }, job, reply }) => {
      const retried = await retryJob(job._id);
      reply.startedJob(retried._id);
      return showJob(retried, links);
    },
  ),

  inOrganization.list(
    '/jobs',
    {
      operationId: 'listJobsInOrganizationById',
      summary: 'List the jobs of an organization, newest first',
      description:
        'Only jobs about subjects that the caller can view. `log`, `position` and `waiting` are in the answer for a single job.',
      permission: 'organization.view',
      tags: ['Job'],
      query: z.object({
        kind: text(1, 50).optional(),
        state: Job.shape.state.optional(),
        subject: text(1, 256).optional(),
      }),
      item: Job,
      countsUpTo: jobsCounted,
    },
    async ({ platform: { links }, organization, member, query }) =>
      pageOfJobs({ links, organization, member }, query),
  ),

  inOrganization.post(
    '/jobs/replay',
    {
      operationId: 'replayJobsInOrganizationById',
      summary: 'Run all ended jobs that match a filter again',
      description: 'Lists the matching jobs, oldest first, at most 1000; `dryRun: false` also runs them.',
      permission: 'organization.admin',
      tags: ['Job'],
      body: ReplayJobs.default({ state: 'failed', dryRun: true }),
      version: 'none',
      response: z
        .object({ jobs: z.array(z.string()), replayed: z.int(), dryRun: z.boolean() })
        .meta({ id: 'ReplayedJobs' }),
    },
    async ({ organization, body }) => replayJobs(organization._id, body),
  ),
];

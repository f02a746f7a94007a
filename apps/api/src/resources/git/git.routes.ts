import { GitSync, ImportGitRepository, notFound } from '@bindery/contract';
import { presentGitSync } from '../space/space.presenter.ts';
import { inSpace } from '../space/space.scope.ts';
import { findLastOperation } from './findLastOperation.ts';
import { importGitRepository } from './importGitRepository.ts';

export const gitRoutes = [
  inSpace.post(
    '/git/import',
    {
      operationId: 'importGitRepository',
      summary: 'Import a git repository into a space',
      description: 'Answers at once; the work is a job, which `X-Job-Id` and `Link` name.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
      body: ImportGitRepository,
      status: 204,
      startsJob: true,
    },
    async ({ space, actor, body, reply, request }) => {
      const job = await importGitRepository({ space, actor, body, traceparent: request.traceparent });
      reply.startedJob(job._id);
    },
  ),

  inSpace.get(
    '/git/info',
    {
      operationId: 'getSpaceGitInfo',
      summary: 'Get the git sync of a space, with its last operation',
      permission: 'space.view',
      tags: ['Git'],
      response: GitSync,
    },
    async ({ space }) => {
      if (!space.gitSync) throw notFound('git sync of the space', space._id);
      return { ...presentGitSync(space._id, space.gitSync), ...(await findLastOperation(space._id)) };
    },
  ),
];

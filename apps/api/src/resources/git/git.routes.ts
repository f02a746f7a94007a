import {
  DescribeGitRemote,
  ExportToGitRepository,
  GitDryRun,
  GitRemote,
  GitSync,
  ImportGitRepository,
  notFound,
} from '@bindery/contract';
import { singleWrite, Space } from '@bindery/models';
import { presentGitSync } from '../../presenters/space.presenter.ts';
import { inSpace } from '../space/space.scope.ts';
import { describeRemote } from './describeRemote.ts';
import { findLastOperation } from './findLastOperation.ts';
import { inGitRemotes } from './gitRemote.scope.ts';
import { startGitExport, startGitImport } from './startGitJob.ts';

export const gitRoutes = [
  inGitRemotes.post(
    '/remote',
    {
      operationId: 'describeGitRemote',
      summary: 'List the branches and tags of a git repository',
      description:
        'Asks the git server now, and also returns the rights of the credentials in the URL. If the server refuses them, `canRead` is false. ' +
        'The request fails if the server has no such repository, or is not a git server.',
      permission: 'git.import',
      tokenScope: 'jobs',
      tags: ['Git'],
      body: DescribeGitRemote,
      response: GitRemote,
    },
    async ({ platform: { outbound }, body: { url } }) => describeRemote(url, outbound),
  ),

  inSpace.post(
    '/git/import',
    {
      operationId: 'importGitRepository',
      summary: 'Import a git repository into a space',
      description:
        'Answers at once and starts a job, named by `X-Job-Id` and `Link`. If the space was changed since the last ' +
        'sync, the branch is merged into it; `result.merge` of the job lists the conflicts.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
      query: GitDryRun,
      body: ImportGitRepository,
      status: 204,
      startsJob: true,
      idempotent: true,
    },
    async ({ platform, space, actor, body, query: { dryRun }, reply, request }) => {
      const job = await startGitImport({
        platform,
        space,
        actor,
        body,
        dryRun,
        traceparent: request.traceparent,
      });
      reply.startedJob(job._id);
    },
  ),

  inSpace.post(
    '/git/export',
    {
      operationId: 'exportToGitRepository',
      summary: 'Export a space to a git repository',
      description:
        'Writes the changes as one commit. Answers at once and starts a job, named by `X-Job-Id` and `Link`. ' +
        'If the branch has commits that the space has not imported, they are merged with the space. If both changed ' +
        'the same lines, the job fails with `not_fast_forward` unless `onConflict` or `force` is set.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
      query: GitDryRun,
      body: ExportToGitRepository,
      status: 204,
      startsJob: true,
      idempotent: true,
    },
    async ({ platform, space, actor, body, query: { dryRun }, reply, request }) => {
      const job = await startGitExport({
        platform,
        space,
        actor,
        body,
        dryRun,
        traceparent: request.traceparent,
      });
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
    async ({ platform: { links }, space }) => {
      if (!space.gitSync) throw notFound('git sync of the space', space._id);
      return { ...presentGitSync(space._id, space.gitSync), ...(await findLastOperation(space._id, links)) };
    },
  ),

  inSpace.delete(
    '/git/legacy-installation',
    {
      operationId: 'deleteLegacyGitInstallation',
      summary: 'Remove the git sync of a legacy installation',
      description: 'Git sync of any other kind is not changed.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
    },
    async ({ space }) => {
      const legacy = {
        _id: space._id,
        organization: space.organization,
        'gitSync.provider': 'github-legacy' as const,
      };
      const update = { $unset: { gitSync: 1 }, $set: { updatedAt: new Date() }, $inc: { version: 1 } };
      await singleWrite((session) => Space.updateOne(legacy, update, { session }));
    },
  ),
];

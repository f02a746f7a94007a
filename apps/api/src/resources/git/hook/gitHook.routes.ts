import { GitHook as GitHookAnswer, GitHookEvent, GitHookWithSecret, Id, SetGitHook } from '@bindery/contract';
import { GitHook, singleWrite } from '@bindery/models';
import { open } from '../../../http/scope.ts';
import { versionOf } from '../../../records/versionOf.ts';
import { inSpace } from '../../space/space.scope.ts';
import { presentGitHook, presentGitHookEvent } from './gitHook.presenter.ts';
import { inGitHook } from './gitHook.scope.ts';
import { receiveEvent } from './receiveEvent.ts';
import { rotateGitHookSecret, setGitHook } from './setGitHook.ts';

export const gitHookRoutes = [
  inSpace.put(
    '/git/hook',
    {
      operationId: 'setGitHook',
      summary: 'Import a branch whenever it is pushed',
      description:
        'Creates or replaces the hook of a space. Enter `payloadURL` and the secret as a webhook for pushes at GitHub, GitLab, ' +
        'Gitea, Forgejo or Bitbucket. Imports run as the user who sets the hook. A new secret replaces the former one after 24 hours.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
      body: SetGitHook,
      response: GitHookWithSecret,
      etag: true,
      version: ({ space }) => versionOf(GitHook, { _id: space._id }),
    },
    async ({ platform, space, actor, body, reply }) => {
      const { hook, secret } = await setGitHook({ platform, space, actor, body });
      reply.version(hook.version);
      return { ...presentGitHook(hook, platform.links), secret };
    },
  ),

  inGitHook.get(
    '',
    {
      operationId: 'getGitHook',
      summary: 'Get the hook of a space, with the last events',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
      response: GitHookAnswer,
      etag: true,
    },
    async ({ platform: { links }, hook, reply }) => {
      reply.version(hook.version);
      return presentGitHook(hook, links);
    },
  ),

  inGitHook.post(
    '/secret',
    {
      operationId: 'rotateGitHookSecret',
      summary: 'Replace the secret of a hook',
      description: 'For 24 hours events signed with the previous secret are accepted too.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
      response: GitHookWithSecret,
      idempotent: true,
    },
    async ({ platform: { config, links }, hook, reply }) => {
      const { hook: changed, secret } = await rotateGitHookSecret(config.secrets, hook);
      reply.version(changed.version);
      return { ...presentGitHook(changed, links), secret };
    },
  ),

  inGitHook.delete(
    '',
    {
      operationId: 'deleteGitHook',
      summary: 'Delete the hook of a space',
      description: 'Its secrets become invalid at once. Imports that it started continue.',
      permission: 'space.triggerGitSync',
      tags: ['Git'],
    },
    async ({ hook: { _id } }) => {
      await singleWrite((session) => GitHook.deleteOne({ _id }, { session }));
    },
  ),

  open.raw(
    'post',
    '/spaces/:spaceId/git/hook',
    {
      operationId: 'receiveGitHookEvent',
      summary: 'Receive an event from a git host',
      description:
        'Git hosts send their push events here, signed with the secret of the hook. A push to the branch of the hook starts the import; ' +
        'other events are ignored.',
      permission: 'public',
      tags: ['Git'],
      params: { spaceId: Id },
      accepts: 'application/json',
      answers: [
        {
          status: 202,
          description: 'The import was accepted.',
          contentType: 'application/json',
          schema: GitHookEvent,
        },
        {
          status: 200,
          description: 'The event was ignored; `reason` says why.',
          contentType: 'application/json',
          schema: GitHookEvent,
        },
      ],
    },
    async ({ platform, params: { spaceId }, request: { traceparent } }, request, response) => {
      const event = await receiveEvent({ platform, spaceId, request, traceparent });
      response.status(event.outcome === 'started' ? 202 : 200).json(presentGitHookEvent(event));
    },
  ),
];

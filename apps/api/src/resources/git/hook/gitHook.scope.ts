import { notFound } from '@bindery/contract';
import { GitHook, type GitHookRecord } from '@bindery/models';
import { versionOf } from '../../../records/versionOf.ts';
import { inSpace } from '../../space/space.scope.ts';

/** The hook of a space. */
export const inGitHook = inSpace.scope({
  name: 'Git hook',
  path: '/git/hook',
  params: {},
  load: async ({ space }) => {
    const hook = await GitHook.findById(space._id).lean<GitHookRecord>();
    if (!hook) throw notFound('git hook of the space', space._id);
    return { hook };
  },
  permissions: () => ({}),
  version: ({ hook }) => versionOf(GitHook, { _id: hook._id }),
});

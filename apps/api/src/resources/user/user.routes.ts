import { UpdateUser, User } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { apiTokenRoutes } from './apiToken.routes.ts';
import { updateUser } from './updateUser.ts';
import { presentUser } from './user.presenter.ts';
import { inReadableUser, inUser } from './user.scope.ts';

export const userRoutes = [
  root.get(
    '/user',
    {
      operationId: 'getAuthenticatedUser',
      summary: 'Get the user whose token this is',
      permission: 'token',
      tags: ['User'],
      response: User,
    },
    async ({ actor }) => presentUser(actor.user),
  ),

  inReadableUser.get(
    '',
    {
      operationId: 'getUserById',
      summary: 'Get a user, oneself or somebody of the same organization',
      description: 'A visitor of a site gets those of its organization, without their e-mail address: content mentions them.',
      permission: 'user.view',
      response: User,
    },
    async ({ user: { _id: id, ...user } }) => presentUser({ id, ...user }),
  ),

  inUser.patch(
    '',
    {
      operationId: 'updateUserById',
      summary: 'Change the own name or photo',
      permission: 'user.edit',
      tokenScope: 'user',
      body: UpdateUser.default({}),
      response: User,
    },
    async ({ params, body }) => {
      const { _id: id, ...user } = await updateUser(params.userId, body);
      return presentUser({ id, ...user });
    },
  ),

  ...apiTokenRoutes,
];

import { UpdateUser, User } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { apiTokenRoutes } from './apiToken.routes.ts';
import { updateUser } from './updateUser.ts';
import { presentUser } from '../../presenters/user.presenter.ts';
import { inReadableUser, inUser } from './user.scope.ts';

export const userRoutes = [
  root.get(
    '/user',
    {
      operationId: 'getAuthenticatedUser',
      summary: 'Get the user that the token belongs to',
      permission: 'token',
      tags: ['User'],
      response: User,
    },
    async ({ platform: { links }, actor }) => presentUser(actor.user, links),
  ),

  inReadableUser.get(
    '',
    {
      operationId: 'getUserById',
      summary: 'Get yourself or a user of the same organization',
      description:
        'Visitors of a site can read users of its organization, without e-mail addresses, because content mentions them.',
      permission: 'user.view',
      response: User,
    },
    async ({ platform: { links }, user: { _id: id, ...user } }) => presentUser({ id, ...user }, links),
  ),

  inUser.patch(
    '',
    {
      operationId: 'updateUserById',
      summary: 'Change your name or photo',
      permission: 'user.edit',
      tokenScope: 'user',
      body: UpdateUser.default({}),
      response: User,
    },
    async ({ platform: { links }, params, body }) => {
      const { _id: id, ...user } = await updateUser(params.userId, body);
      return presentUser({ id, ...user }, links);
    },
  ),

  ...apiTokenRoutes,
];

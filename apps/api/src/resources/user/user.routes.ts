import { User } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { presentUser } from './user.presenter.ts';
import { inUser } from './user.scope.ts';

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

  inUser.get(
    '',
    {
      operationId: 'getUserById',
      summary: 'Get a user, oneself or somebody of the same organization',
      permission: 'user.view',
      response: User,
    },
    async ({ user: { _id: id, ...user } }) => presentUser({ id, ...user }),
  ),
];

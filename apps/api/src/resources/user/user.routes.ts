import { User } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { presentUser } from './user.presenter.ts';

export const userRoutes = [
  root.get(
    '/user',
    {
      operationId: 'getAuthenticatedUser',
      summary: 'Get the user whose token this is',
      permission: 'token',
      response: User,
    },
    async ({ actor }) => presentUser(actor.user),
  ),
];

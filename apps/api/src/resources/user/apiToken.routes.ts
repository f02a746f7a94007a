import { ApiToken, CreateApiToken, Id, NewApiToken, notFound } from '@bindery/contract';
import { ApiToken as ApiTokenModel, createApiToken, revokeApiToken, type ApiTokenRecord } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { findPage } from '../findPage.ts';
import { presentApiToken } from './apiToken.presenter.ts';

export const apiTokenRoutes = [
  root.list(
    '/user/tokens',
    {
      operationId: 'listApiTokensOfAuthenticatedUser',
      summary: 'List the own API tokens, without the tokens themselves',
      permission: 'token',
      tags: ['User'],
      item: ApiToken,
    },
    async ({ actor, query }) => {
      const filter = { user: actor.user.id, revokedAt: { $exists: false } };
      const { rows, ...page } = await findPage<ApiTokenRecord>(ApiTokenModel, filter, query);
      return { ...page, items: rows.map(presentApiToken) };
    },
  ),

  // Without `Idempotency-Key`: to answer a second time, the token would have to be kept.
  root.post(
    '/user/tokens',
    {
      operationId: 'createApiToken',
      summary: 'Make an API token, which is shown in this answer only',
      permission: 'token',
      tags: ['User'],
      body: CreateApiToken,
      response: NewApiToken,
      status: 201,
    },
    async ({ actor, body: { label, expiresAt } }) => {
      const { token, record } = await createApiToken({
        userId: actor.user.id,
        label: label.trim(),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      });
      return { ...presentApiToken(record), token };
    },
  ),

  root.delete(
    '/user/tokens/:tokenId',
    {
      operationId: 'revokeApiToken',
      summary: 'Revoke one of the own API tokens, which stops working at once',
      permission: 'token',
      tags: ['User'],
      params: { tokenId: Id },
    },
    async ({ actor, params }) => {
      if (!(await revokeApiToken(params.tokenId, actor.user.id))) throw notFound('token', params.tokenId);
    },
  ),
];

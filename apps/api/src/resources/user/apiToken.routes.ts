import { ApiToken, CreateApiToken, Id, NewApiToken, notFound } from '@bindery/contract';
import { ApiToken as ApiTokenModel, createApiToken, revokeApiToken, type ApiTokenRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { holdsEverything } from '../../permissions/tokenLimits.ts';
import { findPage } from '../findPage.ts';
import { presentApiToken } from './apiToken.presenter.ts';
import { limitsOfNewToken } from './limitsOfNewToken.ts';

export const apiTokenRoutes = [
  root.list(
    '/user/tokens',
    {
      operationId: 'listApiTokensOfAuthenticatedUser',
      summary: 'List the own API tokens, without the tokens themselves',
      description: 'A token that does not hold everything sees itself and those that it made.',
      permission: 'token',
      tags: ['User'],
      item: ApiToken,
    },
    async ({ actor, query }) => {
      const filter = { ...ownTokens(actor), revokedAt: { $exists: false } };
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
      description:
        'It holds no more than the token that makes it, and what is left out is as there. One that a limited token makes ends with it, also when that is revoked.',
      tokenScope: 'admin',
      permission: 'token',
      tags: ['User'],
      body: CreateApiToken,
      response: NewApiToken,
      status: 201,
    },
    async ({ actor, body }) => {
      const { token, record } = await createApiToken({
        userId: actor.user.id,
        label: body.label.trim(),
        ...(actor.limits && { madeBy: actor.tokenId }),
        ...(await limitsOfNewToken(body, actor)),
      });
      return { ...presentApiToken(record), token };
    },
  ),

  root.delete(
    '/user/tokens/:tokenId',
    {
      operationId: 'revokeApiToken',
      summary: 'Revoke one of the own API tokens, which stops working at once',
      description: 'With those that it made, if it is limited in any way. A token that is narrowed revokes itself and those.',
      tokenScope: 'admin',
      permission: 'token',
      tags: ['User'],
      params: { tokenId: Id },
    },
    async ({ actor, params }) => {
      if (!(await revokeApiToken(params.tokenId, ownTokens(actor)))) throw notFound('token', params.tokenId);
    },
  ),
];

/** The tokens that a caller manages: those of the user; through one that does not hold everything that one, and those that it made. */
function ownTokens({ user, tokenId, limits }: Actor): object {
  return { user: user.id, ...(!holdsEverything(limits) && { $or: [{ _id: tokenId }, { ancestors: tokenId }] }) };
}

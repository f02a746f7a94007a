import { ApiToken, CreateApiToken, Id, NewApiToken, notFound } from '@bindery/contract';
import {
  ApiToken as ApiTokenModel,
  createApiToken,
  revokeApiToken,
  type ApiTokenRecord,
} from '@bindery/models';
import { isWithoutToken, type Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { holdsEverything } from '../../permissions/tokenLimits.ts';
import { findPage } from '../../records/findPage.ts';
import { presentApiToken } from './apiToken.presenter.ts';
import { limitsOfNewToken } from './limitsOfNewToken.ts';

export const apiTokenRoutes = [
  root.list(
    '/user/tokens',
    {
      operationId: 'listApiTokensOfAuthenticatedUser',
      summary: 'List your API tokens, without their secrets',
      description: 'A limited token lists itself and the tokens that it created.',
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

  // Does not support `Idempotency-Key`: answering a second time would require storing the token.
  root.post(
    '/user/tokens',
    {
      operationId: 'createApiToken',
      summary: 'Create an API token; only this answer shows its secret',
      description:
        'The new token has at most the rights of the token that creates it; omitted fields are copied from that token. A token that a limited token created expires, or is revoked, together with it. One that was made in a session of a SAML provider lasts at most 90 days, and reaches the organization of the provider alone.',
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
        madeBy: actor.limits && !isWithoutToken(actor) ? actor.tokenId : undefined,
        provider: actor.provider,
        signedInTo: actor.signedInTo,
        ...(await limitsOfNewToken(body, actor)),
      });
      return { ...presentApiToken(record), token };
    },
  ),

  root.delete(
    '/user/tokens/:tokenId',
    {
      operationId: 'revokeApiToken',
      summary: 'Revoke one of your API tokens; it stops working at once',
      description:
        'Revoking a limited token also revokes the tokens that it created. A limited token can revoke only itself and those.',
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

/**
 * A filter for the tokens that a caller manages: all of the user; with a limited token, that token and those
 * it created; in a session of a SAML provider, those made in such sessions.
 */
function ownTokens(actor: Actor): object {
  const { user, tokenId, limits, provider } = actor;
  if (isWithoutToken(actor) && provider !== undefined) return { user: user.id, provider };
  return {
    user: user.id,
    ...(!holdsEverything(limits) && { $or: [{ _id: tokenId }, { ancestors: tokenId }] }),
  };
}

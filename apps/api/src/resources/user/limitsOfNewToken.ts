import { ApiError, invalid, type CreateApiToken } from '@bindery/contract';
import type { ApiTokenRecord } from '@bindery/models';
import { isWithoutToken, type Actor } from '../../http/actor.ts';
import { scopesOf } from '../../permissions/tokenLimits.ts';
import { findOwnMembers } from '../../records/ownMember.ts';
import { loadVisibleSpace } from '../space/space.scope.ts';

const daysAfterSignIn = 90;
const dayMs = 86_400_000;

type Limits = Pick<ApiTokenRecord, 'scopes' | 'organizations' | 'spaces' | 'expiresAt'>;

/**
 * The limits of a new token: the requested ones, and for the rest those of the token that creates it.
 *
 * @throws invalid_request for scopes or objects beyond the creating token, and for an expiry after its own
 */
export async function limitsOfNewToken(body: CreateApiToken, actor: Actor): Promise<Limits> {
  const { limits } = actor;
  const { scopes = limits?.scopes } = body;
  const isNarrower = body.organizations !== undefined || body.spaces !== undefined;
  const { organizations, spaces } = isNarrower ? body : (limits ?? {});
  const end = limits?.expiresAt ?? endAfterSignIn(actor);
  const expiresAt = body.expiresAt === undefined ? end : new Date(body.expiresAt);
  if (end && expiresAt && expiresAt > end)
    throw invalid('body.expiresAt', `must not be after ${end.toISOString()}, ${reasonOfEnd(actor)}.`);
  const held = scopesOf(limits);
  const excess = [...scopesOf({ scopes })].find((scope) => !held.has(scope));
  if (excess)
    throw invalid(
      'body.scopes',
      `must not go beyond the token that makes it, which does not have \`${excess}\`.`,
    );
  if (isNarrower) await requireReach(body, actor);
  return {
    scopes: scopes && [...scopes],
    organizations: organizations && [...organizations],
    spaces: spaces && [...spaces],
    expiresAt,
  };
}

/** Somebody who has left must sign in no more: a sign-in through a provider does not last for ever. */
function endAfterSignIn(actor: Actor): Date | undefined {
  if (!isWithoutToken(actor) || actor.provider === undefined) return undefined;
  return new Date(Date.now() + daysAfterSignIn * dayMs);
}

function reasonOfEnd(actor: Actor): string {
  return isWithoutToken(actor)
    ? `${daysAfterSignIn} days after the sign-in`
    : 'when the token that makes it ends';
}

/** A token cannot pass on access that it does not have. */
async function requireReach(
  { organizations = [], spaces = [] }: CreateApiToken,
  actor: Actor,
): Promise<void> {
  const reached = new Set(
    (await findOwnMembers(actor, organizations)).map(({ organization }) => organization),
  );
  const strange = organizations.findIndex((id) => !reached.has(id));
  if (strange !== -1)
    throw invalid(
      `body.organizations[${strange}]`,
      'is not the id of an organization that this token reaches.',
    );
  for (const [index, id] of spaces.entries()) {
    try {
      await loadVisibleSpace(actor, id);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      throw invalid(`body.spaces[${index}]`, 'is not the id of a space that this token reaches.');
    }
  }
}

import type { TokenScope } from '@bindery/contract';
import type { FoundSession } from '@bindery/models';

/**
 * Whether the token that started a session has a scope, apart from what its user may do: forms that the API
 * would refuse are not offered.
 */
export function mayUse({ token }: FoundSession, scope: Exclude<TokenScope, 'read'>): boolean {
  return token?.scopes?.some((one) => one === scope || one === 'admin') ?? true;
}

/**
 * Whether a session reaches what belongs to its user alone, such as joining an organization: not one that is
 * limited to organizations or spaces.
 */
export function mayActForUser(session: FoundSession): boolean {
  const { token, organization } = session;
  const isNarrowed = token?.organizations !== undefined || token?.spaces !== undefined;
  return mayUse(session, 'admin') && !isNarrowed && organization === undefined;
}

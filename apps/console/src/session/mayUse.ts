import type { TokenScope } from '@bindery/contract';
import type { FoundSession } from '@bindery/models';

/**
 * Whether the token that started a session has a scope, apart from what its user may do: forms that the API
 * would refuse are not offered.
 */
export function mayUse({ token }: FoundSession, scope: Extract<TokenScope, 'write' | 'jobs'>): boolean {
  return token?.scopes?.some((one) => one === scope || one === 'admin') ?? true;
}

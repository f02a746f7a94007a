import { ApiError } from '@bindery/contract';
import type { MemberRecord } from '@bindery/models';
import type { Actor } from '../http/actor.ts';

/**
 * Whether a member reaches an organization that requires single sign-on only after signing in through its
 * provider: members for whom single sign-on is turned on, with a token or session that began elsewhere.
 */
export function mustSignIn(
  { sso, organization }: Pick<MemberRecord, 'sso' | 'organization'>,
  { signedInTo }: Actor,
): boolean {
  return sso === true && signedInTo !== organization;
}

/** Refuses such a member. */
export function signInRequired(): ApiError {
  return new ApiError(
    'forbidden',
    'The organization requires single sign-on, and this token or session was not started through its identity provider.',
    {
      action:
        'Sign in to the console through the identity provider of the organization; under *Tokens* there, make a token for programs.',
    },
  );
}

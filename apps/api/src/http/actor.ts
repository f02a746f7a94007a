import type { TokenScope } from '@bindery/contract';
import type { ContentReader, Visitor } from '@bindery/publishing';

/**
 * The user that makes a request, and the id of the token used; for a session of the console that no token
 * began, the id of the session.
 */
export type Actor = {
  user: { id: string; displayName: string; email?: string; photoURL?: string; isOperator: boolean };
  tokenId: string;
  /** The session of the console through which the request comes. */
  session?: string;
  /** The organization whose SAML provider has signed the user in, for this session or to make this token. */
  signedInTo?: string | undefined;
  /** That provider. */
  provider?: string | undefined;
  /** Absent when the token has no limits. */
  limits?: TokenLimits | undefined;
};

/** Whether the request comes through a session of the console that no token began. */
export function isWithoutToken({ session, tokenId }: Actor): boolean {
  return session === tokenId;
}

/**
 * Limits of a token: what it may do (`scopes`), what it may reach (`organizations`, `spaces`), and until
 * when. Each is absent when there is no such limit.
 */
export type TokenLimits = {
  scopes?: readonly TokenScope[] | undefined;
  organizations?: readonly string[] | undefined;
  spaces?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
};

/**
 * The caller of a route that visitors may read: `visitor` instead of `actor` when the token was issued to a
 * visitor of a site.
 */
export type Reader =
  | ({ actor: Actor } & Exclude<ContentReader, { visitor: Visitor }>)
  | { actor?: undefined; visitor: Visitor };

import type { TokenScope } from '@bindery/contract';

/** Who makes a request: a user, through one of their tokens. */
export type Actor = {
  user: { id: string; displayName: string; email?: string; photoURL?: string; isOperator: boolean };
  tokenId: string;
  /** The limits of the token; undefined without limits. */
  limits?: TokenLimits | undefined;
};

/**
 * A token may be limited in what it does (`scopes`), in what it reaches (`organizations` and `spaces`), and
 * in time; each is absent without a limit.
 */
export type TokenLimits = {
  scopes?: readonly TokenScope[] | undefined;
  organizations?: readonly string[] | undefined;
  spaces?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
};

/**
 * Somebody who reads a published site, with the content token that resolving its URL gave: reads only, and
 * only what the site shows.
 *
 * `claims` are what is known of the visitor, reduced to the site's adaptive schema.
 */
export type Visitor = {
  organization: string;
  site: string;
  claims: Record<string, unknown>;
  /** One like everybody: without claims, on a published site that is open to all. */
  isAnybody: boolean;
  /** Looks at the site as it will be: published or not. */
  isPreview: boolean;
  /**
   * Whether the site is still open under the terms of the token: to whom it is closed, it and its spaces do
   * not exist.
   */
  isAdmitted: boolean;
};

/**
 * Whoever may read what a site shows: `visitor` is set instead of `actor` when the token was made for a
 * site's visitor.
 */
export type Reader = { actor: Actor; visitor?: undefined } | { actor?: undefined; visitor: Visitor };

import type { TokenScope } from '@bindery/contract';

/** The user that makes a request, and the token used. */
export type Actor = {
  user: { id: string; displayName: string; email?: string; photoURL?: string; isOperator: boolean };
  tokenId: string;
  /** Absent when the token has no limits. */
  limits?: TokenLimits | undefined;
};

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
 * A reader of a published site, identified by the content token that resolving its URL returned. May only
 * read, and only content that the site shows.
 *
 * `claims` are the known facts about the visitor, reduced to the site's adaptive schema.
 */
export type Visitor = {
  organization: string;
  site: string;
  claims: Record<string, unknown>;
  /** An anonymous visitor: without claims, on a published site that is open to everyone. */
  isAnybody: boolean;
  /** A preview: the visitor sees the site as it will be, published or not. */
  isPreview: boolean;
  /**
   * Whether the site still admits the visitor under the terms of the token. If not, the site and its spaces
   * do not exist for them.
   */
  isAdmitted: boolean;
};

/**
 * The caller of a route that visitors may read: `visitor` instead of `actor` when the token was issued to a
 * visitor of a site.
 */
export type Reader = { actor: Actor; visitor?: undefined } | { actor?: undefined; visitor: Visitor };

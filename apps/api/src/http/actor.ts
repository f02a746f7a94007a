/** Who makes a request: a user, through one of their tokens. */
export type Actor = {
  user: { id: string; displayName: string; email?: string; photoURL?: string; isOperator: boolean };
  tokenId: string;
};

/**
 * Somebody who reads a published site, with the content token that resolving its URL gave: reads only, and only what the site shows.
 *
 * `claims` are what is known of the visitor, reduced to the site's adaptive schema.
 */
export type Visitor = { organization: string; site: string; spaces: readonly string[]; claims: Record<string, unknown> };

/** Whoever may read what a site shows: `visitor` is set instead of `actor` when the token was made for a site's visitor. */
export type Reader = { actor: Actor; visitor?: undefined } | { actor?: undefined; visitor: Visitor };

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
export type Visitor = {
  organization: string;
  site: string;
  claims: Record<string, unknown>;
  /** Looks at the site as it will be: published or not. */
  isPreview: boolean;
  /** Whether the site is still open under the terms of the token: to whom it is closed, it and its spaces do not exist. */
  isAdmitted: boolean;
};

/** Whoever may read what a site shows: `visitor` is set instead of `actor` when the token was made for a site's visitor. */
export type Reader = { actor: Actor; visitor?: undefined } | { actor?: undefined; visitor: Visitor };

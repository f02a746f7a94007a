import { reduceClaims, type VisitorClaims } from '@bindery/dialect';
import type { ResolvePublishedContent } from '@bindery/contract';
import type { SiteRecord } from '@bindery/models';
import { findPublishingAuth, keyIdOf } from '../publishing-auth/publishingAuth.ts';
import { readPreview } from '../publishing-auth/preview.ts';
import { verifyVisitorToken } from '../publishing-auth/verifyVisitorToken.ts';
import { findShareLink } from '../../records/shareKey.ts';
import { adaptiveSchemaOf } from '../site-adaptive-schema/adaptiveSchemaOf.ts';
import { decoded, type FoundSite } from './findSiteByUrl.ts';

/** Somebody who may see a site. */
export type Admitted = {
  claims: VisitorClaims;
  /** What opened the site stands in the URL, in the first segment behind that of the site; for a share link also what it is. */
  key?: { shareKey?: string; shareLink?: string };
  isPreview: boolean;
  /** When what opened the site ends, in seconds since 1970: asking again does not make it longer. */
  expiresAt?: number;
  /** The key of the site that signed the claims (`keyIdOf`). */
  signedBy?: string;
  /** Differs between visitors who may see different things; absent while everybody sees the same. */
  identity?: string;
};

/** Where somebody has to go first who cannot be let in as they are. */
export type SignInRedirect = { target: 'external'; site: string; redirect: string };

type Visitor = NonNullable<ResolvePublishedContent['visitor']>;

/**
 * Decides whether a visitor may see a site: by a preview that was signed for it, else by the visibility of the site, while it is published.
 *
 * @returns a redirect where visitors have to sign in and the site says where; undefined when there is nothing to see
 */
export async function admitVisitor(
  { site, rest }: Pick<FoundSite, 'site' | 'rest'>,
  { visitor, redirectOnError, url }: { visitor: Visitor; redirectOnError: boolean; url: URL },
): Promise<Admitted | SignInRedirect | undefined> {
  const [first = ''] = rest;
  const preview = readPreview(decoded(first));
  if (preview?.site === site._id) return { claims: preview.claims, key: {}, isPreview: true, expiresAt: preview.expiresAt };
  if (!site.isPublished) return undefined;

  // Before the token is verified: when the key is replaced in between, what is given now ends at once.
  const auth = visitor.jwtToken === undefined ? null : await findPublishingAuth(site);
  const signed = auth ? await verifyVisitorToken(site, visitor.jwtToken) : undefined;
  const mustSignIn = site.visibility === 'visitor-auth' || (redirectOnError && visitor.jwtToken !== undefined);
  if (!signed && mustSignIn) return signInRedirect(site, url);
  // What visitors say of themselves grants nothing: it only chooses among what they may see, below a name of its own.
  const claims = reduceClaims(adaptiveSchemaOf(site), { signed, unsigned: visitor.unsignedClaims });
  const admitted = {
    claims,
    isPreview: false,
    ...(auth && signed && { signedBy: keyIdOf(auth) }),
    ...(Object.keys(claims).length > 0 && { identity: JSON.stringify(claims) }),
  };
  if (site.visibility !== 'share-link') return admitted;
  const link = await findShareLink(site._id, decoded(first));
  return link && { ...admitted, key: { shareKey: decoded(first), shareLink: link._id } };
}

async function signInRedirect(site: SiteRecord, { pathname, search }: URL): Promise<SignInRedirect | undefined> {
  const { fallbackUrl } = (await findPublishingAuth(site)) ?? {};
  if (fallbackUrl === undefined) return undefined;
  const redirect = new URL(fallbackUrl);
  // Where the visitor wanted to go, for the sign-in page to come back to; with two slashes it would be another host.
  redirect.searchParams.set('location', `${pathname.replace(/^\/+/, '/')}${search}`);
  return { target: 'external', site: site._id, redirect: redirect.href };
}

import { reduceClaims, type VisitorClaims } from '@bindery/dialect';
import type { ResolvePublishedContent } from '@bindery/contract';
import { signingKeyId, type SiteRecord } from '@bindery/models';
import type { SecretKeys } from '@bindery/runtime';
import { findPublishingAuth } from './publishingAuth.ts';
import { readPreview } from './preview.ts';
import { pathWithoutToken } from './pathWithoutToken.ts';
import { verifyVisitorToken } from './verifyVisitorToken.ts';
import { findShareLink } from './shareLinkKey.ts';
import { adaptiveSchemaOf } from './adaptiveSchemaOf.ts';
import { decoded, type FoundSite } from '../url/findSiteByUrl.ts';

/** A visitor who may see a site. */
export type Admitted = {
  claims: VisitorClaims;
  /**
   * Set when the first segment after the site's URL opened the site; for a share link it has the secret and
   * the id.
   */
  key?: { shareKey?: string; shareLink?: string };
  isPreview: boolean;
  /** The change request that the preview shows. */
  changeRequest?: string | undefined;
  /** The end of the preview in seconds since 1970: a new content token does not extend it. */
  expiresAt?: number;
  /** The key of the site that signed the claims (`signingKeyId`). */
  signedBy?: string;
  /** Differs between visitors who see different content; absent when all see the same. */
  identity?: string;
};

/** The page where a visitor has to sign in first. */
export type SignInRedirect = { target: 'external'; site: string; redirect: string };

type Visitor = NonNullable<ResolvePublishedContent['visitor']>;

/**
 * Decides whether a visitor may see a site: by a signed preview, else by the visibility of the published
 * site.
 *
 * @returns a redirect when the visitor has to sign in and the site has a sign-in page; undefined when the
 *   visitor may see nothing
 */
export async function admitVisitor(
  { site, rest }: Pick<FoundSite, 'site' | 'rest'>,
  {
    secrets,
    visitor,
    redirectOnError,
    url,
  }: { secrets: SecretKeys; visitor: Visitor; redirectOnError: boolean; url: URL },
): Promise<Admitted | SignInRedirect | undefined> {
  const [first = ''] = rest;
  const preview = readPreview(secrets, decoded(first));
  if (preview?.site === site._id)
    return {
      claims: preview.claims,
      key: {},
      isPreview: true,
      changeRequest: preview.changeRequest,
      expiresAt: preview.expiresAt,
    };
  if (!site.isPublished) return undefined;

  // Read before the token is verified: if the key is replaced in between, the new content token is already
  // invalid.
  const auth = visitor.jwtToken === undefined ? null : await findPublishingAuth(site);
  const signed = auth ? await verifyVisitorToken(secrets, { site, token: visitor.jwtToken }) : undefined;
  const mustSignIn =
    site.visibility === 'visitor-auth' || (redirectOnError && visitor.jwtToken !== undefined);
  if (!signed && mustSignIn) return signInRedirect(site, url);
  // Unsigned claims grant nothing: they only select among visible content, and stay below `unsigned`.
  const claims = reduceClaims(adaptiveSchemaOf(site), { signed, unsigned: visitor.unsignedClaims });
  const admitted = {
    claims,
    isPreview: false,
    signedBy: auth && signed ? signingKeyId(auth) : undefined,
    identity: Object.keys(claims).length > 0 ? JSON.stringify(claims) : undefined,
  };
  if (site.visibility !== 'share-link') return admitted;
  const link = await findShareLink(secrets, { site: site._id, key: decoded(first) });
  return link && { ...admitted, key: { shareKey: decoded(first), shareLink: link._id } };
}

async function signInRedirect(site: SiteRecord, url: URL): Promise<SignInRedirect | undefined> {
  const { fallbackUrl } = (await findPublishingAuth(site)) ?? {};
  if (fallbackUrl === undefined) return undefined;
  const redirect = new URL(fallbackUrl);
  // The sign-in page returns the visitor to this path, with another token.
  redirect.searchParams.set('location', pathWithoutToken(url));
  return { target: 'external', site: site._id, redirect: redirect.href };
}

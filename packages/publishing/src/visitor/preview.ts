import type { VisitorClaims } from '@bindery/dialect';
import { isSignatureValid, signText, type SecretKeys } from '@bindery/runtime';

/**
 * Grants a view of a site, published or not, as a visitor with these claims sees it; with the id of a change
 * request, its content stands in place of that of its space.
 */
export type Preview = {
  site: string;
  siteSpace: string;
  claims: VisitorClaims;
  changeRequest?: string | undefined;
};

const lifetimeSeconds = 60 * 60;
const purpose = 'site-preview';
const mark = 'preview';

/**
 * A token that opens a preview for an hour. It takes the same segment of a site's URL as the secret of a
 * share link.
 */
export function signPreview(
  secrets: SecretKeys,
  { site, siteSpace, claims, changeRequest }: Preview,
): string {
  const expiresAt = Math.floor(Date.now() / 1000) + lifetimeSeconds;
  const granted = [site, siteSpace, claims, expiresAt, changeRequest];
  const content = Buffer.from(JSON.stringify(granted)).toString('base64url');
  return `${mark}.${content}.${signText(secrets, purpose, content)}`;
}

/**
 * The preview of a token, with its end in seconds since 1970; undefined for another kind of token, a forged
 * one, or an expired one.
 */
export function readPreview(
  secrets: SecretKeys,
  token: string,
): (Preview & { expiresAt: number }) | undefined {
  const [begin, content = '', signature = '', ...rest] = token.split('.');
  if (begin !== mark || rest.length > 0 || !isSignatureValid(secrets, purpose, content, signature))
    return undefined;
  const [site, siteSpace, claims, expiresAt, changeRequest] = JSON.parse(
    Buffer.from(content, 'base64url').toString(),
  ) as [string, string, VisitorClaims, number, (string | null)?];
  if (Date.now() / 1000 >= expiresAt) return undefined;
  return { site, siteSpace, claims, expiresAt, changeRequest: changeRequest ?? undefined };
}

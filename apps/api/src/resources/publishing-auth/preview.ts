import type { VisitorClaims } from '@bindery/dialect';
import { isSignatureValid, signText } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';

/** A look at a site as a visitor with these claims would see it, published or not. */
export type Preview = { site: string; siteSpace: string; claims: VisitorClaims };

const lifetimeSeconds = 60 * 60;
const purpose = 'site-preview';
const mark = 'preview';

/** A token that opens a preview for an hour. It is one segment of a path: it stands in the URL of the site where the secret of a share link would. */
export function signPreview({ site, siteSpace, claims }: Preview): string {
  const expiresAt = Math.floor(Date.now() / 1000) + lifetimeSeconds;
  const content = Buffer.from(JSON.stringify([site, siteSpace, claims, expiresAt])).toString('base64url');
  return `${mark}.${content}.${signText(thePlatform().config.secrets, purpose, content)}`;
}

/** What a token opens, and until when in seconds since 1970; undefined when it is no such token, was changed, or its hour is over. */
export function readPreview(token: string): (Preview & { expiresAt: number }) | undefined {
  const [begin, content = '', signature = '', ...rest] = token.split('.');
  if (begin !== mark || rest.length > 0 || !isSignatureValid(thePlatform().config.secrets, purpose, content, signature)) return undefined;
  const [site, siteSpace, claims, expiresAt] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
    string,
    string,
    VisitorClaims,
    number,
  ];
  return Date.now() / 1000 < expiresAt ? { site, siteSpace, claims, expiresAt } : undefined;
}

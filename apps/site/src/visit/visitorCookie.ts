import type { IncomingMessage } from 'node:http';

const name = 'bindery-visitor';
/** Browsers drop a cookie whose name and value are longer (RFC 6265bis). */
const maxCookieLength = 4_096;

/** Whether a browser keeps a token as the cookie of a site. */
export function fitsCookie(token: string): boolean {
  return name.length + token.length <= maxCookieLength;
}

/** The token with which a visitor signed in before, from the cookie of the site. */
export function visitorTokenOf(request: IncomingMessage): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=', 2);
    if (key === name && value !== '' && fitsCookie(value)) return value;
  }
  return undefined;
}

/** The cookie that keeps a visitor signed in, for the pages of this site only. */
export function visitorCookie(
  token: string,
  { path, isSecure }: { path: string; isSecure: boolean },
): string {
  return `${name}=${token}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

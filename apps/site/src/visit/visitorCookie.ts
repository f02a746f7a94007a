import type { IncomingMessage } from 'node:http';

const name = 'bindery-visitor';
/** A token that is longer names no visitor. */
const maxLength = 4_096;

/** The token with which a visitor signed in before, from the cookie of the site. */
export function visitorTokenOf(request: IncomingMessage): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=', 2);
    if (key === name && value !== '' && value.length <= maxLength) return value;
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

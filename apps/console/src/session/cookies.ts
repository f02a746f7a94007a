import type { Config } from '@bindery/runtime';

type Console = Config['console'];

/** A cookie of the console with a secret. */
type SecretCookie = {
  /** The header `Set-Cookie` that sets it: for some seconds, or until the browser ends. */
  set(console: Console, secret: string): string;
  /** The header `Set-Cookie` that removes it. */
  end(console: Console): string;
  /** The secret in the cookies of a request, valid or not. */
  secretIn(cookies: string | undefined, console: Console): string | undefined;
};

/** Begins a session in a browser, until the browser ends or the session does. */
export const sessionCookie = secretCookie('bindery_console');

/**
 * Recognizes the browser that comes back from an identity provider, so that nobody can sign another person in
 * by sending them an address.
 */
export const signInCookie = secretCookie('bindery_sign_in', { seconds: 600 });

/** Whether the console is reached over TLS. */
export function isSecure(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

/**
 * With the prefix `__Host-`, browsers take a cookie only with `Secure`, for this host alone; they have no
 * such cookie without TLS, as on one's own machine. `SameSite=Lax`, because links lead here from other sites.
 */
function secretCookie(name: string, { seconds }: { seconds?: number } = {}): SecretCookie {
  const nameAt = ({ url }: Console) => (isSecure(url) ? `__Host-${name}` : name);
  const written = (console: Console, value: string, age: number | undefined) =>
    [
      `${nameAt(console)}=${value}; Path=/; HttpOnly; SameSite=Lax`,
      ...(isSecure(console.url) ? ['Secure'] : []),
      ...(age === undefined ? [] : [`Max-Age=${age}`]),
    ].join('; ');
  return {
    set: (console, secret) => written(console, secret, seconds),
    end: (console) => written(console, '', 0),
    secretIn: (cookies, console) => {
      const start = `${nameAt(console)}=`;
      const pair = cookies
        ?.split(';')
        .map((one) => one.trim())
        .find((one) => one.startsWith(start));
      return pair?.slice(start.length) || undefined;
    },
  };
}

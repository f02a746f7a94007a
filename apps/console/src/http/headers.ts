import type { ServerResponse } from 'node:http';
import type { Config } from '@bindery/runtime';
import { isSecure } from '../session/cookies.ts';

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * The policy of a page with formulas: they have styles in attributes, which only their library writes, and
 * fonts of the console.
 */
export const policyWithFormulas = `${policy}; style-src-attr 'unsafe-inline'; font-src 'self'`;

/**
 * Sets the headers of all answers: only scripts of the console, no frame, no copy in a cache.
 *
 * `Referrer-Policy` is not `no-referrer`, with which browsers send forms with `Origin: null`; those without
 * `Sec-Fetch-Site` could then write nothing. No other site gets a Referer either way.
 */
export function setHeaders(response: ServerResponse, { url }: Config['console']): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('X-Robots-Tag', 'noindex');
  if (isSecure(url)) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

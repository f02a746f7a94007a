import { createHash } from 'node:crypto';
import { html, trusted, type Value } from '@bindery/html';
import type { RequestHandler } from 'express';
import { liveScript } from './liveScript.ts';
import { style } from './style.ts';

const pages = {
  '/admin/jobs': 'Jobs',
  '/admin/kinds': 'Kinds',
  '/admin/replays': 'Replays',
  '/admin/workers': 'Workers',
  '/admin/storage': 'Storage',
  '/admin/webhooks': 'Webhooks',
  '/admin/hostnames': 'Hostnames',
  '/admin/spaces': 'Deleted spaces',
  '/admin/sessions': 'Sessions',
  '/admin/actions': 'Actions',
  '/admin/queues': 'Queues',
  '/admin/sign-out': 'Sign out',
};

/** A page of the operator's area. */
export type AreaPage = {
  title: string;
  main: Value;
  /** Whether it shows a job that changes, with the script for that. */
  isLive?: boolean;
  /** Default 200. */
  status?: number;
};

/**
 * Writes a page.
 *
 * @param path  of the request, to mark the page in the navigation; absent on pages without navigation
 */
export function writePage({ title, main, isLive = false }: AreaPage, path?: string): string {
  const navigation = Object.entries(pages).map(([target, name]) => {
    const isHere = path === target || path?.startsWith(`${target}/`);
    return html`<li><a href="${target}" aria-current="${isHere && 'page'}">${name}</a></li>`;
  });
  const header = html`<a class="skip" href="#main">Skip to the content</a>
<header><nav aria-label="Pages"><ul>${navigation}</ul></nav></header>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Bindery</title>
<link rel="icon" href="data:,">
${trusted(`<style>${style}</style>`)}
</head>
<body>
${path !== undefined && header}
<main id="main" tabindex="-1" class="${path === undefined && 'narrow'}">
<h1>${title}</h1>
${main}
</main>
${isLive && trusted(`<script type="module">${liveScript}</script>`)}
</body>
</html>
`.toString();
}

/** Allows the style sheet and the script by their hashes, forms to this origin, and nothing else. */
export const areaPolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', policy);
  response.set('Cache-Control', 'no-store');
  response.set('Referrer-Policy', 'same-origin');
  next();
};

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(liveScript)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

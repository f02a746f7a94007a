import { html, type Value } from '@bindery/html';
import type { UserRecord } from '@bindery/models';
import { assetPaths } from '../assets/assets.ts';

/** A link of the way from the overview to a page. */
export type Crumb = { name: string; path: string };

/** A page of the console. */
export type Page = {
  title: string;
  main: Value;
  /** The pages above it, from the top, without the overview. */
  above?: readonly Crumb[];
  /** The path of its script, without which it works too. */
  script?: string | undefined;
  /** Set when it shows a page as on a site. `isHeading`: the title of that is the heading of both. */
  rendered?: { hasMath: boolean; isHeading: boolean };
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
};

const sections: readonly Crumb[] = [
  { name: 'Overview', path: '/' },
  { name: 'Invites', path: '/memberships' },
  { name: 'Sessions', path: '/sessions' },
  { name: 'Tokens', path: '/tokens' },
];

/**
 * Writes a page.
 *
 * @param user  who is signed in; without one, there is no navigation
 * @param path  of the request, to mark the page in the navigation
 */
export function writePage(
  { title, main, above, script, rendered }: Page,
  { user, path }: { user?: Pick<UserRecord, 'displayName'> | undefined; path: string },
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Bindery</title>
<link rel="icon" href="data:,">
${rendered && html`<link rel="stylesheet" href="${assetPaths.pageStyle}">`}
${rendered?.hasMath && html`<link rel="stylesheet" href="${assetPaths.mathStyle}">`}
<link rel="stylesheet" href="${assetPaths.style}">
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${user && header(user, path)}
<main id="main" tabindex="-1" class="${!user && 'narrow'}">
${above && crumbs(above)}
${!rendered?.isHeading && html`<h1>${title}</h1>`}
${main}
</main>
</body>
</html>
`.toString();
}

function header({ displayName }: Pick<UserRecord, 'displayName'>, path: string): Value {
  const links = sections.map((section) => {
    const isHere = section.path === path;
    return html`<li><a href="${section.path}" aria-current="${isHere && 'page'}">${section.name}</a></li>`;
  });
  return html`<header>
<nav aria-label="Console"><ul>${links}</ul></nav>
<form method="post" action="/sign-out"><span>${displayName}</span> <button>Sign out</button></form>
</header>`;
}

function crumbs(above: readonly Crumb[]): Value {
  const links = [{ name: 'Overview', path: '/' }, ...above].map(
    ({ name, path }) => html`<li><a href="${path}">${name}</a></li>`,
  );
  return html`<nav class="crumbs" aria-label="Pages above"><ol>${links}</ol></nav>`;
}

import { report } from '../engine/report.ts';
import { asArray, asObject, isObject, textOf } from '../engine/json.ts';
import type { Located } from '../engine/document.ts';
import type { Scope } from '../engine/scope.ts';
import { code } from '../rules/code.ts';
import { placeholders } from './pathTemplate.ts';

/** The path of the first server, which stands before all paths: `/v1`, or an empty text. */
export function basePathOf(root: Located): string {
  const [first = ''] = serverUrls(root);
  return withoutSlash(first.replace(originOf(first), ''));
}

/**
 * Compares the servers of two documents, path items or operations.
 *
 * @param isMoved  true when the base path moved between servers and paths, so that only hosts are compared
 */
export function compareServers(
  scope: Scope,
  { before, after, isMoved = false }: { before: Located; after: Located; isMoved?: boolean },
): void {
  const urls = (located: Located) =>
    new Set(serverUrls(located).map((url) => (isMoved ? originOf(url) : url)));
  const [from, to] = [urls(before), urls(after)];
  const removed = [...from].filter((url) => !to.has(url));
  const added = [...to].filter((url) => !from.has(url));
  const place = { before: `${before.pointer}/servers`, after: `${after.pointer}/servers` };
  removed.forEach((url, index) => {
    const replacement = added[index];
    const values = { from: code(url), name: code(url) };
    if (replacement === undefined) report(scope, 'server-removed', { ...place, ...values });
    else report(scope, 'server-changed', { ...place, ...values, to: code(replacement) });
  });
  for (const url of added.slice(removed.length))
    report(scope, 'server-added', { ...place, to: code(url), name: code(url) });
}

/** The URLs of servers, with the defaults of their variables; without servers it is `/`. */
function serverUrls({ node }: Located): string[] {
  const urls = asArray(node['servers']).filter(isObject).map(urlOf);
  return urls.length > 0 ? urls : ['/'];
}

function urlOf({ url, variables }: { url?: unknown; variables?: unknown }): string {
  const withDefaults = textOf(url, '/').replaceAll(placeholders, (whole, name: string) => {
    const value = asObject(asObject(variables)[name])['default'];
    return typeof value === 'string' ? value : whole;
  });
  return withoutSlash(withDefaults) || '/';
}

/** Scheme and host: `https://api.example.com`; an empty text in front of a path. */
function originOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

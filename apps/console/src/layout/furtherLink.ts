import { html, type Value } from '@bindery/html';
import type { ListPage } from '../api/api.ts';

/** The place in a list that `furtherLink` has written into a URL; undefined for the beginning of the list. */
export function placeIn(query: URLSearchParams, parameter = 'page'): string | undefined {
  return query.get(parameter) ?? undefined;
}

/**
 * Leads to the items behind those shown.
 *
 * @param path  of the page, without a query
 * @param query  that of the page: its filters stay
 * @param parameter  has the place in the list; a page with two lists has two
 */
export function furtherLink(
  { next }: ListPage<unknown>,
  {
    path,
    query,
    text,
    parameter = 'page',
  }: { path: string; query: URLSearchParams; text: string; parameter?: string },
): Value {
  if (!next) return undefined;
  const further = new URLSearchParams(query);
  further.set(parameter, next.page);
  const target = `${path}?${further.toString()}`;
  return html`<p><a href="${target}">${text}</a></p>`;
}

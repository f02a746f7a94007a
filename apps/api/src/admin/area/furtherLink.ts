import { html, type Value } from '@bindery/html';

/** Leads to the items behind those shown. @param after  the place in the list; undefined on its last page */
export function furtherLink(
  path: string,
  { query, after, text }: { query: Record<string, string>; after: string | undefined; text: string },
): Value {
  if (after === undefined) return undefined;
  const target = `/admin/${path}?${new URLSearchParams({ ...query, after }).toString()}`;
  return html`<p><a href="${target}">${text}</a></p>`;
}

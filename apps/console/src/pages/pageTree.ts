import type { Page as ContentPage } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';

/** With more of them, and a choice of all, a page would be larger than 25 kB when compressed. */
const pagesShown = 250;

/**
 * The pages of a content as a tree, from the place `?from=` on.
 *
 * @param path  of the page of the console, without a query
 * @param nameOf  writes one page, with its links
 */
export function pageTree(
  pages: readonly ContentPage[],
  { path, query, nameOf }: { path: string; query: URLSearchParams; nameOf: (page: ContentPage) => Value },
): Html {
  if (pages.length === 0) return html`<p>It has none yet.</p>`;
  const from = Number(query.get('from')) || 0;
  const { part, next } = partFrom(pages, from);
  const further = `${path}?from=${next}`;
  return html`${part.length === 0 ? html`<p>There are no further ones.</p>` : listOf(part, nameOf)}
${next !== undefined && html`<p><a href="${further}">Further pages</a></p>`}`;
}

function listOf(pages: readonly ContentPage[], nameOf: (page: ContentPage) => Value): Html {
  return html`<ul class="tree">${pages.map((one) => html`<li>${nameOf(one)}${'pages' in one && one.pages.length > 0 && listOf(one.pages, nameOf)}</li>`)}</ul>`;
}

/** The pages from a place on, in the order of a reader, with those above them. */
function partFrom(
  pages: readonly ContentPage[],
  from: number,
): { part: ContentPage[]; next: number | undefined } {
  let count = 0;
  const walk = (all: readonly ContentPage[]): ContentPage[] =>
    all.flatMap((one): ContentPage[] => {
      const isShown = count >= from && count < from + pagesShown;
      count += 1;
      if (!('pages' in one)) return isShown ? [one] : [];
      const below = walk(one.pages);
      return isShown || below.length > 0 ? [{ ...one, pages: below }] : [];
    });
  const part = walk(pages);
  return { part, next: count > from + pagesShown ? from + pagesShown : undefined };
}

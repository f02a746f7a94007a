import type { Html, HtmlAttributes, HtmlElement, InsertedHtml, PendingHtml } from '@bindery/dialect';

/** HTML without lists and promises; passes over the page change it in place. */
export type PageNode = string | PageElement | InsertedHtml;
export type PageElement = { name: HtmlElement['name']; attributes: HtmlAttributes; children: PageNode[] };

/** Waits for the parts that are still being computed. */
export async function settled(html: Html): Promise<PageNode[]> {
  const results = new Map<PendingHtml, Html>();
  let pending = [...pendingIn(html)];
  while (pending.length > 0) {
    const parts = await Promise.all(pending.map(async (each) => each.pending));
    for (const [index, each] of pending.entries()) results.set(each, parts[index] ?? '');
    pending = parts.flatMap((each) => [...pendingIn(each)]);
  }
  return nodesOf(html, results);
}

function* pendingIn(html: Html): Generator<PendingHtml> {
  if (typeof html === 'string') return;
  if (isList(html)) for (const each of html) yield* pendingIn(each);
  else if ('pending' in html) yield html;
  else if ('name' in html) for (const each of html.children) yield* pendingIn(each);
}

function nodesOf(html: Html, results: ReadonlyMap<PendingHtml, Html>): PageNode[] {
  if (html === '') return [];
  if (typeof html === 'string') return [html];
  if (isList(html)) return html.flatMap((each) => nodesOf(each, results));
  if ('pending' in html) return nodesOf(results.get(html) ?? '', results);
  if ('inserted' in html) return [html];
  const children = html.children.flatMap((each) => nodesOf(each, results));
  return [{ name: html.name, attributes: { ...html.attributes }, children }];
}

function isList(html: Html): html is readonly Html[] {
  return Array.isArray(html);
}

/** The ids of footnotes and of their references end like this; see `idOfNote` in packages/render. */
const noteId = /-[nr]\d+$/;

/**
 * Lets links of a chunk lead to places that are printed elsewhere. Chromium drops a link to an id that its
 * document does not have; a link to another document stays, and the merging writer knows this address.
 *
 * Chromium tells the place of an id only if its document links there. So footnotes whose other end is in
 * another chunk get a link that nobody sees.
 *
 * @param html  as the renderer writes it, with quoted attributes
 */
export function linkOtherChunks(html: string): string {
  const ids = new Set(html.matchAll(/ id="([^"]+)"/g).map(([, id = '']) => id));
  const linked = new Set(html.matchAll(/ href="#([^"]*)"/g).map(([, id]) => id));
  const unseen = [...ids].filter((id) => noteId.test(id) && !linked.has(id));
  const places = unseen.map((id) => `<a href="#${id}"></a>`).join('');
  return (
    html.replaceAll(/ href="#([^"]*)"/g, (link, id: string) =>
      ids.has(id) ? link : ` href="https://render.invalid/book#${id}"`,
    ) + (places === '' ? '' : `<div hidden>${places}</div>`)
  );
}

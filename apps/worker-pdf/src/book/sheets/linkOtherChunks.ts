/**
 * Lets links of a chunk lead to places that are printed elsewhere. Chromium drops a link to an id that its
 * document does not have; a link to another document stays, and the merging writer knows this address.
 *
 * @param html  as the renderer writes it, with quoted attributes
 */
export function linkOtherChunks(html: string): string {
  const ids = new Set(html.matchAll(/ id="([^"]+)"/g).map(([, id]) => id));
  return html.replaceAll(/ href="#([^"]*)"/g, (link, id: string) =>
    ids.has(id) ? link : ` href="https://render.invalid/book#${id}"`,
  );
}

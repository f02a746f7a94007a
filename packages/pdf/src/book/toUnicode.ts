/**
 * Chromium maps some glyphs of joined emoji to U+0000 or U+FEFF, which PDF/UA forbids, because a reader
 * cannot speak them. They become zero width spaces; the emoji itself is in the `ActualText` beside them.
 *
 * @returns undefined when the map has none
 */
export function repairToUnicode(cmap: Buffer): Buffer | undefined {
  const text = cmap.toString('latin1');
  const repaired = text.replaceAll(
    /(<[\da-fA-F]{4}>\s*)<(?:0000|[fF]{2}[fF][eE]|[fF]{2}[eE][fF]|[fF][eE][fF]{2})>(?=\s*\n)/g,
    '$1<200B>',
  );
  return repaired === text ? undefined : Buffer.from(repaired, 'latin1');
}

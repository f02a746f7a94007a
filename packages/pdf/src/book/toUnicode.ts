/**
 * Chromium maps some glyphs of joined emoji to U+0000 or U+FEFF, which PDF/UA forbids, because a reader
 * cannot speak them. They become zero width spaces; the emoji itself is in the `ActualText` beside them.
 *
 * @returns undefined when the map has none
 */
export function repairToUnicode(cmap: Buffer): Buffer | undefined {
  const text = cmap.toString('latin1');
  const repaired = text.replaceAll(/(<[\da-f]{2,8}> ?)<(?:0000|feff|fffe)>(?=\n)/gi, '$1<200B>');
  return repaired === text ? undefined : Buffer.from(repaired, 'latin1');
}

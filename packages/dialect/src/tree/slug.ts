/**
 * Returns the anchor of a heading as GitBook writes it, so that links from elsewhere still lead there: its
 * words in lower case with hyphens between, without punctuation but `.`, `_` and `-`, and `id-` before a
 * digit. Never empty.
 */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_.-]+/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
    .replace(/^(?=\d)/, 'id-');
  return slug.slice(0, 200) || 'section';
}

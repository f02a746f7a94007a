/**
 * Returns the anchor of a heading: its words in lower case with hyphens between, without punctuation. Never
 * empty.
 */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_.-]+/gu, '')
    .trim()
    .replaceAll(/[\s.]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug.slice(0, 200) || 'section';
}

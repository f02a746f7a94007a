/** Escapes text for HTML, in content and in quoted attributes. */
export function htmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

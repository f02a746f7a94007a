import type { SiteCustomization } from '@bindery/contract';
import { emojiOfCode } from '@bindery/dialect';
import { html, trusted, type Value } from '@bindery/html';

/** The icon of a site: pictures for both themes of the browser, or an emoji as a picture. */
export function writeFavicon({ favicon }: SiteCustomization): Value {
  if ('icon' in favicon) {
    const { light, dark } = favicon.icon;
    if (light === dark) return html`<link rel="icon" href="${light}">`;
    return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`;
  }
  if (!('emoji' in favicon)) return html`<link rel="icon" href="data:,">`;
  const text = html`<text y=".9em" font-size="90">${emojiOfCode(favicon.emoji)}</text>`;
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${text}</svg>`;
  // `html` takes no data URLs. An encoded text has no character that ends the attribute.
  return trusted(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(picture.toString())}">`);
}

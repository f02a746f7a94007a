import { html, type Html } from '@bindery/html';
import type { Framed } from './framed.ts';

/**
 * How a page looks where people share its address (Open Graph): with the picture of the customization, else
 * with the one that was drawn for the page.
 */
export function writeSocialTags(page: Framed): Html {
  const { title, siteTitle, description, canonical, customization } = page;
  const { url: picture = page.card } = customization.socialPreview;
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${siteTitle}">
<meta property="og:title" content="${title}">
${description !== undefined && html`<meta property="og:description" content="${description}">`}
${canonical !== undefined && html`<meta property="og:url" content="${canonical}">`}
${picture !== undefined && html`<meta property="og:image" content="${picture}">`}
<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">`;
}

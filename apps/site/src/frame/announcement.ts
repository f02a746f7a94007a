import { html, type Value } from '@bindery/html';
import type { Words } from '@bindery/render';
import { titleIn, writeLink, type LinkPlace } from './customLinks.ts';

/** The announcement above all pages of a site. */
export async function writeAnnouncement(place: LinkPlace & { words: Words }): Promise<Value> {
  const { announcement } = place.customization;
  if (!announcement?.enabled) return null;
  const { message: title, localizedMessage: localizedTitle, link } = announcement;
  const text = titleIn(place.language, { title, localizedTitle });
  return html`<aside class="announcement" aria-label="${place.words.announcement}">${text} ${link && (await writeLink(link, place))}</aside>`;
}

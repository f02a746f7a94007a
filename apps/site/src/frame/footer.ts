import { html, type Value } from '@bindery/html';
import type { Words } from '@bindery/render';
import { titleIn, writeItems, writeLinkTo, type LinkPlace } from './customLinks.ts';
import { writeLogo } from './logo.ts';
import { accountsIn } from './socialAccounts.ts';

/** The logo, the groups of links, the accounts and the copyright in the footer of a site. */
export async function writeFooter(place: LinkPlace & { words: Words }): Promise<Value> {
  const { customization, language, words } = place;
  const { footer, privacyPolicy } = customization;
  const groups: Value[] = [];
  for (const group of footer.groups) {
    const items = await writeItems(group.links, place);
    if (items.length > 0)
      groups.push(html`<div><p class="label">${titleIn(language, group)}</p><ul>${items}</ul></div>`);
  }
  const others = accountsIn('footer', customization);
  if (privacyPolicy.url !== undefined) others.push({ title: words.privacyPolicy, href: privacyPolicy.url });
  const links = others.map(({ title, href }) => html`<li>${writeLinkTo(href, title, { place })}</li>`);
  return [
    writeLogo(footer.logo),
    groups,
    links.length > 0 && html`<ul class="links">${links}</ul>`,
    footer.copyright !== undefined && html`<p>${footer.copyright}</p>`,
  ];
}

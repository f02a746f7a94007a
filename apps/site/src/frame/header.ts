import { isConditionMet } from '@bindery/dialect';
import { html, type Value } from '@bindery/html';
import type { Words } from '@bindery/render';
import type { Visitor } from '@bindery/publishing';
import { titleIn, writeItems, writeLink, writeLinkTo, type LinkPlace } from './customLinks.ts';
import { accountsIn } from './socialAccounts.ts';

const buttons = { 'button-primary': 'button primary', 'button-secondary': 'button', link: undefined };

/** The links in the header of a site that the visitor sees; one with further links below it is a menu. */
export async function writeHeaderLinks(place: LinkPlace & { words: Words }): Promise<Value> {
  const { customization, source, language, words } = place;
  if (customization.header.preset === 'none') return null;
  const items: Value[] = [];
  for (const { condition, style = 'link', ...link } of customization.header.links) {
    if (condition !== undefined && !(source && isMet(condition, source.visitor))) continue;
    const { to, links } = link;
    const own = to !== null && (await writeLink({ ...link, to }, place, buttons[style]));
    const inside = await writeItems(links, place);
    if (inside.length > 0)
      items.push(writeMenu(titleIn(language, link), [own && html`<li>${own}</li>`, ...inside]));
    else if (own) items.push(html`<li>${own}</li>`);
  }
  for (const { title, href } of accountsIn('header', customization))
    items.push(html`<li>${writeLinkTo(href, title, { place })}</li>`);
  return items.length > 0 && html`<nav aria-label="${words.links}"><ul class="links">${items}</ul></nav>`;
}

function isMet(condition: string, { claims, questions }: Visitor): boolean {
  questions?.conditions.add(condition);
  return isConditionMet(condition, claims);
}

/** All menus have one name, so that a browser keeps only one open. */
function writeMenu(title: string, items: readonly Value[]): Value {
  return html`<li><details class="menu" name="links"><summary>${title}</summary><ul>${items}</ul></details></li>`;
}

import type { SiteCustomization } from '@bindery/contract';
import type { ContentReference } from '@bindery/dialect/links';
import { isConditionMet } from '@bindery/dialect';
import { html, type Value } from '@bindery/html';
import { linkTo, type TargetSource } from '../page/collectTargets.ts';
import { siteWords } from '../visit/language.ts';

type Target = SiteCustomization['header']['links'][number]['to'];

/** The address of a link of the customization; undefined for what the visitor does not see. */
async function hrefOf(to: Target, source: TargetSource): Promise<string | undefined> {
  if (to === null) return undefined;
  return to.kind === 'url' ? to.url : (await linkTo(to as ContentReference, source))?.href;
}

/** The links in the header of a site that the visitor sees. */
export async function writeHeaderLinks({ header }: SiteCustomization, source: TargetSource): Promise<Value> {
  const { claims } = source.visitor;
  const items: Value[] = [];
  for (const { title, to, links, condition } of header.links) {
    if (condition !== undefined && !isConditionMet(condition, claims)) continue;
    for (const link of [{ title, to }, ...links]) {
      const href = await hrefOf(link.to, source);
      if (href !== undefined) items.push(html`<li><a href="${href}">${link.title}</a></li>`);
    }
  }
  return (
    items.length > 0 &&
    html`<nav aria-label="${siteWords(source).links}"><ul class="links">${items}</ul></nav>`
  );
}

/** The groups of links and the copyright in the footer of a site. */
export async function writeFooter({ footer }: SiteCustomization, source: TargetSource): Promise<Value> {
  const groups: Value[] = [];
  for (const { title, links } of footer.groups) {
    const items: Value[] = [];
    for (const link of links) {
      const href = await hrefOf(link.to, source);
      if (href !== undefined) items.push(html`<li><a href="${href}">${link.title}</a></li>`);
    }
    if (items.length > 0) groups.push(html`<nav aria-label="${title}"><ul>${items}</ul></nav>`);
  }
  return [groups, footer.copyright !== undefined && html`<p>${footer.copyright}</p>`];
}

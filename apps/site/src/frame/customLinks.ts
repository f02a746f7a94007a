import { isWebTarget, type SiteCustomization } from '@bindery/contract';
import type { ContentReference } from '@bindery/dialect/links';
import { html, type Value } from '@bindery/html';
import { linkTo, type TargetSource } from '../page/collectTargets.ts';

type CustomLink = SiteCustomization['footer']['groups'][number]['links'][number];
type Target = CustomLink['to'];

/** Where links of a customization are shown. Without a `source`, only web addresses are known. */
export type LinkPlace = {
  customization: SiteCustomization;
  language: string;
  source?: TargetSource | undefined;
};

/** The address of a link of the customization; undefined for what the visitor does not see. */
export async function hrefOf(
  to: Target | null | undefined,
  { source }: LinkPlace,
): Promise<string | undefined> {
  if (!to) return undefined;
  if (to.kind === 'url') return to.url;
  return source && (await linkTo(to as ContentReference, source))?.href;
}

/** A link of the customization; false for one that leads to what the visitor does not see. */
export async function writeLink(link: CustomLink, place: LinkPlace, className?: string): Promise<Value> {
  const href = await hrefOf(link.to, place);
  return href !== undefined && writeLinkTo(href, titleIn(place.language, link), { place, className });
}

/** A link to a known address. Those to other hosts open where the customization says. */
export function writeLinkTo(
  href: string,
  title: string,
  { place, className }: { place: LinkPlace; className?: string | undefined },
): Value {
  const isOutside = isWebTarget(href) || href.startsWith('//');
  const isBlank = isOutside && place.customization.externalLinks.target === 'blank';
  return html`<a class="${className}" href="${href}" target="${isBlank && '_blank'}" rel="${isBlank && 'noopener'}">${title}</a>`;
}

/** The items of a list of links, without those to what the visitor does not see. */
export async function writeItems(links: readonly CustomLink[], place: LinkPlace): Promise<Value[]> {
  const items: Value[] = [];
  for (const link of links) {
    const written = await writeLink(link, place);
    if (written !== false) items.push(html`<li>${written}</li>`);
  }
  return items;
}

/** The title in a language, if the customization has it in that language. */
export function titleIn(
  language: string,
  { title, localizedTitle }: { title: string; localizedTitle?: Partial<Record<string, string>> | undefined },
): string {
  return localizedTitle?.[language] || title;
}

import type { PageTree } from '@bindery/content';
import { isSafeTarget } from '@bindery/contract';
import { linkTo, type BookLinks } from '../content/targets.ts';

/** The address that a link page leads to; undefined for an unsafe one. */
export function hrefOfLink(page: PageTree, links: BookLinks): string | undefined {
  if (page.type !== 'link') return undefined;
  const { target } = page;
  if (target.kind !== 'url') return linkTo(target, links)?.href;
  return isSafeTarget(target.url) && /^(?:https?|mailto):/i.test(target.url) && URL.canParse(target.url)
    ? target.url
    : undefined;
}

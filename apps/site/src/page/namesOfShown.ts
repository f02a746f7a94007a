import { hash } from 'node:crypto';
import type { SiteContent } from './siteContent.ts';

type Pages = SiteContent['pages'];

const known = new WeakMap<Pages, string>();

/**
 * A short text that differs when a visitor sees other pages; the same for all contents of which the visitor
 * sees everything.
 */
export function namesOfShown(pages: Pages): string {
  if (pages.isWhole) return '';
  const names = known.get(pages) ?? hash('sha256', JSON.stringify([...pages.byId.keys()]), 'base64url');
  known.set(pages, names);
  return names;
}

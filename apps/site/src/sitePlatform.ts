import { createAppLinks, type AppLinks } from '@bindery/publishing';
import type { Config, Logger } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { createCardDrawer, type CardDrawer } from './cards/cardDrawer.ts';
import { createPageRenderers, type PageRenderers } from './page/pageRenderers.ts';

/** The parts of this process, opened by main.ts or a test; the database is connected. */
export type SitePlatform = {
  config: Config;
  links: AppLinks;
  blobs: BlobStore;
  renderers: PageRenderers;
  cards: CardDrawer;
  log: Logger;
};

export function createSitePlatform(parts: Pick<SitePlatform, 'config' | 'blobs' | 'log'>): SitePlatform {
  return {
    ...parts,
    links: createAppLinks(parts.config),
    renderers: createPageRenderers(),
    cards: createCardDrawer(),
  };
}

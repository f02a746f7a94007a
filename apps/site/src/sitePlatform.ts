import { createAppLinks, type AppLinks } from '@bindery/publishing';
import { createPageRenderers, type PageRenderers } from '@bindery/render';
import type { Config, Logger } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { createCardDrawer, type CardDrawer } from './cards/cardDrawer.ts';
import { createCardFonts, type CardFonts } from './cards/cardFonts.ts';

/** The parts of this process, opened by main.ts or a test; the database is connected. */
export type SitePlatform = {
  config: Config;
  links: AppLinks;
  blobs: BlobStore;
  renderers: PageRenderers;
  cards: CardDrawer;
  cardFonts: CardFonts;
  log: Logger;
};

export function createSitePlatform(parts: Pick<SitePlatform, 'config' | 'blobs' | 'log'>): SitePlatform {
  const renderers = createPageRenderers();
  renderers.start();
  return {
    ...parts,
    links: createAppLinks(parts.config),
    renderers,
    cards: createCardDrawer(),
    cardFonts: createCardFonts(parts.config.sites.fonts),
  };
}

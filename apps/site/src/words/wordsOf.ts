import type { SiteCustomization } from '@bindery/contract';
import { english } from './english.ts';
import type { Words } from './words.ts';

/** The fixed words around the content of a site, in the language of its frame. */
export function wordsOf(_customization: Pick<SiteCustomization, 'internationalization'>): Words {
  return english;
}

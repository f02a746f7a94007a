import { effectiveCustomization, type Visit } from '@bindery/publishing';
import { wordsOf, type Words } from '@bindery/render';

type Visited = { visit: Visit };

/** The language of the texts of a site space: that of its space, else the locale of its customization. */
export function languageOf({ visit }: Visited): string {
  return spaceLanguageOf(visit) ?? localeOf(visit);
}

/** The fixed words around the texts of a site space: in its language if it has words, else in the locale. */
export function siteWords({ visit }: Visited): Words {
  return wordsOf(spaceLanguageOf(visit), localeOf(visit));
}

function spaceLanguageOf({ spaces, siteSpace }: Visit): string | undefined {
  return spaces.get(siteSpace.space)?.language;
}

function localeOf({ site, siteSpace }: Visit): string {
  return effectiveCustomization(site, siteSpace).internationalization.locale;
}

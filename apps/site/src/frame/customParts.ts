import type { SiteCustomization } from '@bindery/contract';
import type { Value } from '@bindery/html';
import { effectiveCustomization } from '@bindery/publishing';
import type { Words } from '@bindery/render';
import type { TargetSource } from '../page/collectTargets.ts';
import { languageOf, siteWords } from '../visit/language.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { writeAnnouncement } from './announcement.ts';
import { hrefOf, titleIn } from './customLinks.ts';
import { writeFooter } from './footer.ts';
import { writeHeaderLinks } from './header.ts';

/** The parts around a page that a customization determines, with the language of its words. */
export type CustomParts = {
  customization: SiteCustomization;
  siteTitle: string;
  language: string;
  words: Words;
  /** Where the title of the site leads, if not to the site. */
  home: string | undefined;
  announcement: Value;
  headerLinks: Value;
  footer: Value;
};

/**
 * Writes the parts around a page that the customization of a site space determines. Without a `source`, as on
 * pages that are no content, only links to web addresses are there.
 */
export async function customPartsOf(
  { visit }: Pick<OpenVisit, 'visit'>,
  source?: TargetSource,
): Promise<CustomParts> {
  const customization = effectiveCustomization(visit.site, visit.siteSpace);
  const [language, words] = [languageOf({ visit }), siteWords({ visit })];
  const place = { customization, language, words, source };
  const { title = visit.site.title, localizedTitle } = customization;
  return {
    customization,
    siteTitle: titleIn(language, { title, localizedTitle }),
    language,
    words,
    home: await hrefOf(customization.header.primaryLink, place),
    announcement: await writeAnnouncement(place),
    headerLinks: await writeHeaderLinks(place),
    footer: await writeFooter(place),
  };
}

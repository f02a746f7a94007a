import { connectMongo, disconnectMongo, ensureIndexes } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { indexWhatWaits, publishPages } from '../../test/support/content/indexing.ts';
import { buildOrganization, buildSection, buildSite, buildSpace } from '../../test/support/factories.ts';
import { everyBlock } from '../../test/support/site/everyBlock.ts';
import { fillLooks } from './fillLooks.ts';
import { dialectTabs, guidePages, introductions, longPage, type RealPage } from './markdown.ts';

/** Paths of the pages of a site, below its origin; titles of those that readers search. */
export type FilledSite = {
  root: string;
  /** A long page, documentation of 51 pages, and one with every block. */
  guide: string[];
  /** Introductions, of 400 pages together with the long ones. */
  typical: string[];
  /** Pages of 38 kB that differ in a few words. */
  long: string[];
  titles: string[];
  /** Pages of smaller sites, by the group of blocks or the theme that they show. */
  looks: Record<string, string>;
};

const [typicalCount, longCount] = [360, 40];
const space = (pages: readonly RealPage[]) => pages.map((page) => ({ id: page.path, ...page }));

/** Fills an empty database with a site of two sections, and indexes it for search. */
export async function fillSite(environment: NodeJS.ProcessEnv): Promise<FilledSite> {
  const config = loadConfig(environment);
  await connectMongo(config);
  await ensureIndexes();
  const { organization } = await buildOrganization({ hostname: 'bench' });
  const guide = [
    longPage(0, dialectTabs),
    ...guidePages(),
    { title: 'Every block', path: 'every-block', source: everyBlock },
  ];
  const typical = introductions(typicalCount);
  const long = Array.from({ length: longCount }, (_, index) => longPage(index + 1, dialectTabs));
  const [first, second] = [
    await publishPages(await buildSpace(organization, { title: 'Guide' }), space(guide)),
    await publishPages(await buildSpace(organization, { title: 'Packages' }), space([...typical, ...long])),
  ];
  await indexWhatWaits(config);
  const site = await buildSite(organization, { title: 'Docs', isPublished: true });
  await buildSection(site, { space: first, title: 'Guide', path: 'guide' });
  await buildSection(site, { space: second, title: 'Packages', path: 'packages' });
  const looks = await fillLooks(organization);
  await disconnectMongo();
  const root = `/bench/${site.basename}`;
  const below = (section: string, pages: readonly RealPage[]) =>
    pages.map(({ path }) => `${root}${section}/${path}`);
  return {
    root,
    // The first page has the address of its section, the first section that of the site.
    guide: [root, ...below('', guide.slice(1))],
    typical: [`${root}/packages`, ...below('/packages', typical.slice(1))],
    long: below('/packages', long),
    titles: typical.map(({ title }) => title),
    looks,
  };
}

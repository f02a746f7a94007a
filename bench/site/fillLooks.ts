import { UpdateSiteCustomization } from '@bindery/contract';
import type { OrganizationRecord } from '@bindery/models';
import { publishPages } from '../../test/support/content/indexing.ts';
import { buildSite, buildSpace } from '../../test/support/factories.ts';
import { everyBlock, linkedBlocks } from '../../test/support/site/everyBlock.ts';

const themes = ['clean', 'muted', 'bold', 'gradient'] as const;

/**
 * Fills sites with each preset of a theme, whose first page has every block that needs nothing but its page,
 * and one page for each group of blocks.
 *
 * @returns the paths of pages by the names of groups and presets
 */
export async function fillLooks(organization: OrganizationRecord): Promise<Record<string, string>> {
  const groups = groupsOf(everyBlock);
  const space = await publishPages(await buildSpace(organization, { title: 'Blocks' }), [
    { title: 'Every block', path: 'every-block', source: everyBlock },
    ...Object.entries(groups).map(([title, source]) => ({ title, path: title.toLowerCase(), source })),
    { title: 'Linked', path: 'linked', source: readable(linkedBlocks) },
    { title: 'Second', path: 'second', source: '# Second\n\nText' },
  ]);
  const paths: Record<string, string> = {};
  for (const theme of themes) {
    const settings = UpdateSiteCustomization.parse({ styling: { theme } });
    const site = await buildSite(organization, {
      title: 'Blocks',
      spaces: [space],
      isPublished: true,
      customization: { settings, updatedAt: new Date() } as never,
    });
    paths[theme] = `/bench/${site.basename}`;
  }
  for (const group of [...Object.keys(groups), 'Linked'])
    paths[`blocks: ${group.toLowerCase()}`] = `${paths['clean']}/${group.toLowerCase()}`;
  return paths;
}

/** Cuts a page at its headings into one page for each group of blocks. */
function groupsOf(page: string): Record<string, string> {
  const [, ...parts] = page.split(/^## /m);
  return Object.fromEntries(parts.map((part) => [part.split('\n', 1)[0], `# ${part}`]));
}

/**
 * Nothing is uploaded here: neither files nor specifications, whose blocks name only the operation. And
 * Lighthouse takes "Start" for no name of a link.
 */
function readable(page: string): string {
  return page.replaceAll(/^.*\/files\/.*$/gm, '').replace('>Start<', '>Start with an example<');
}

import { UpdateSiteCustomization } from '@bindery/contract';
import { indexWhatWaits, publishPages } from '../content/indexing.ts';
import { buildSection, buildSite, buildSiteSpace, buildSpace } from '../factories.ts';
import { everyBlock } from './everyBlock.ts';
import { to } from './lookSite.ts';
import { it as base } from './siteIt.ts';

/** The header, footer and announcement of the site. */
export const around = {
  header: {
    links: [
      { title: 'Product', style: 'button-primary', to: to('/product'), links: [] },
      {
        title: 'Company',
        to: null,
        links: Array.from({ length: 12 }, (_, at) => ({ title: `Company ${at}`, to: to(`/company/${at}`) })),
      },
    ],
  },
  footer: { groups: [{ title: 'Help', links: [{ title: 'Contact', to: to('/contact') }] }] },
  announcement: {
    enabled: true,
    message: 'Version 2 is here',
    link: { title: 'Read on', to: to('/news') },
    style: 'info',
  },
};

const tabs = `{% tabs %}
{% tab title="Short" %}
[First link](https://first.example/)
{% endtab %}
{% tab title="Long" %}
[Second link](https://second.example/)
{% endtab %}
{% endtabs %}

<details>
<summary>Details</summary>

[Third link](https://third.example/)

</details>`;

/**
 * The `it` of tests that use a site with the keyboard alone. Fixtures beside those of `siteIt.ts`:
 *
 * - `siteWith`: publishes a site with a customization, and returns its address
 * - `url`: the address of a site with links in its header, an announcement, sections and variants
 */
export const it = base
  .extend('guide', { scope: 'file' }, async ({ api, organization }) => {
    const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Every block', path: 'every-block', source: `${everyBlock}\n\n${everyBlock}` },
      {
        type: 'group',
        title: 'Group',
        path: 'group',
        pages: [
          {
            title: 'Parent',
            path: 'group/parent',
            source: '# Parent\n\nText',
            pages: [{ title: 'Child', path: 'group/parent/child', source: '# Child\n\nText' }],
          },
        ],
      },
      { title: 'Opening', path: 'opening', source: `# Opening\n\n${tabs}` },
    ]);
    await indexWhatWaits(api.config);
    return guide;
  })
  .extend('siteWith', { scope: 'file' }, ({ organization, guide, server, hostname }) => {
    return async (settings: object): Promise<string> => {
      const reference = await publishPages(await buildSpace(organization, { title: 'Reference' }), [
        { title: 'Calls', path: 'calls', source: '# Calls\n\nText' },
      ]);
      const customization = {
        settings: UpdateSiteCustomization.parse({ ...around, ...settings }),
        updatedAt: new Date(),
      };
      const site = await buildSite(organization, {
        title: 'Docs',
        isPublished: true,
        customization: customization as never,
      });
      const section = await buildSection(site, { space: guide, title: 'Guides', path: 'guides' });
      await buildSiteSpace(site, { space: reference, section: section._id, path: 'variant' });
      await buildSection(site, { space: reference, title: 'Calls', path: 'ref' });
      return `${server.origin}/${hostname}/${site.basename}`;
    };
  })
  .extend('url', { scope: 'file' }, ({ siteWith }) => siteWith({}));

import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildShareLink, buildSite, buildSpace } from '../support/factories.ts';
import { it as base } from '../support/site/siteIt.ts';

const it = base.extend('guide', { scope: 'file' }, async ({ organization }) =>
  publishPages(await buildSpace(organization, { title: 'Guide' }), [
    { title: 'Home "1"', path: 'home', description: 'All <about> it', source: '# Home "1"\n\nText' },
  ]),
);

/** The Open Graph tags of a page. */
const tagsIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g)].map(
      ([, name, content]) => [name, content],
    ),
  );

describe('the social tags of a page', () => {
  it('have its title, its description and the picture of the customization', async ({
    server,
    organization,
    guide,
    hostname,
  }) => {
    const settings = { socialPreview: { url: 'https://pictures.example/card.png?a=1&b=2' } };
    const site = await buildSite(organization, {
      title: 'Docs',
      spaces: [guide],
      isPublished: true,
      customization: { settings, updatedAt: new Date() } as never,
    });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    expect(tagsIn((await server.get(url)).text)).toEqual({
      'og:type': 'website',
      'og:site_name': 'Docs',
      'og:title': 'Home &quot;1&quot;',
      'og:description': 'All &lt;about&gt; it',
      'og:url': url,
      'og:image': 'https://pictures.example/card.png?a=1&amp;b=2',
      'twitter:card': 'summary_large_image',
    });
  });

  it('have the start of the visible text when its author wrote no description', async ({
    server,
    organization,
    hostname,
  }) => {
    const source = `# Home\n\n{% if visitor.claims.isBeta %}\nHidden.\n{% endif %}\n\nFor <all> & "one".\n\nMore.`;
    const site = await buildSite(organization, {
      spaces: [await publishPages(await buildSpace(organization), [{ title: 'Home', path: 'home', source }])],
      isPublished: true,
    });
    const { text } = await server.get(`${server.origin}/${hostname}/${site.basename}`);
    const start = 'For &lt;all&gt; &amp; &quot;one&quot;.';
    expect(text).toContain(`<meta name="description" content="${start}">`);
    expect(tagsIn(text)['og:description']).toBe(start);
  });

  it('have no address with the secret of a share link', async ({ server, organization, guide, hostname }) => {
    const site = await buildSite(organization, {
      spaces: [guide],
      visibility: 'share-link',
      isPublished: true,
    });
    const { key } = await buildShareLink(site);
    const { text } = await server.get(`${server.origin}/${hostname}/${site.basename}/${key}`);
    const tags = tagsIn(text);
    expect(tags).not.toHaveProperty('og:url');
    expect(tags).not.toHaveProperty('og:image');
    expect(tags['twitter:card']).toBe('summary');
  });
});

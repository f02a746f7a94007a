import { loadPublishingAuth, privateKeyOf } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { it as base } from '../support/site/siteIt.ts';

const plan = { type: 'string', description: '', enum: ['apple', 'pear'] };
const jsonSchema = JSON.stringify({ type: 'object', properties: { plan }, additionalProperties: false });

/** A page for one plan, and a block for it on a page of all; `canary-` words stand nowhere else. */
const pagesFor = (name: string) => ({
  title: `Only ${name}`,
  path: `only-${name}`,
  description: `canary-${name}-description`,
  condition: `visitor.claims.plan == "${name}"`,
  source: `# Only ${name}\n\nFruit canary-${name}-page\n\n{% updates %}\n{% update date="2026-03-01" %}\n## canary-${name}-update\n\nNew\n{% endupdate %}\n{% endupdates %}`,
});
const blockFor = (name: string) =>
  `{% if visitor.claims.plan == "${name}" %}\nFruit canary-${name}-block\n{% endif %}`;
const updateFor = (name: string) =>
  `{% if visitor.claims.plan == "${name}" %}\n{% updates %}\n{% update date="2026-02-01" %}\n## canary-${name}-entry\n\nNew\n{% endupdate %}\n{% endupdates %}\n{% endif %}`;

const updateForAll =
  '{% updates %}\n{% update date="2026-01-01" %}\n## For all\n\nNew\n{% endupdate %}\n{% endupdates %}';

const it = base
  .extend('site', { scope: 'file' }, async ({ api, organization }) => {
    const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), [
      {
        title: 'Shared',
        path: 'shared',
        source: `# Shared\n\nFruit for all\n\n${updateForAll}\n\n${['apple', 'pear'].flatMap((name) => [blockFor(name), updateFor(name)]).join('\n\n')}`,
      },
      pagesFor('apple'),
      pagesFor('pear'),
    ]);
    await indexWhatWaits(api.config);
    return buildSite(organization, {
      title: 'Docs',
      spaces: [guide],
      isPublished: true,
      adaptiveSchema: { jsonSchema, updatedAt: new Date() },
    });
  })
  .extend('ask', { scope: 'file' }, async ({ api, site, server, hostname }) => {
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    return async (path: string, visitorPlan?: string) => {
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const token = visitorPlan && signVisitorToken({ plan: visitorPlan, exp }, { key });
      const headers: Record<string, string> = token ? { cookie: `bindery-visitor=${token}` } : {};
      return server.get(`${server.origin}/${hostname}/${site.basename}${path}`, headers);
    };
  });

/** Each address, and whether it shows those who may the text of their page. */
const addresses: readonly { path: string; shows?: string }[] = [
  { path: '', shows: 'block' },
  { path: '/shared.md', shows: 'block' },
  { path: '/~/search?q=fruit', shows: 'page' },
  { path: '/~/search.json?q=fruit', shows: 'page' },
  { path: '/sitemap.xml' },
  { path: '/llms.txt', shows: 'description' },
  { path: '/llms-full.txt', shows: 'page' },
  { path: '/rss.xml', shows: 'entry' },
];

describe('two visitors with different claims', () => {
  it.for(addresses)('never see what is for the other at $path', async ({ path, shows }, { ask }) => {
    // All at once, twice: kept and shared answers would show.
    const plans = ['apple', undefined, 'pear', 'apple', undefined, 'pear'];
    const answers = await Promise.all(plans.map(async (name) => ({ name, ...(await ask(path, name)) })));
    for (const { name, status, headers, text } of answers) {
      expect(status).toBe(200);
      if (name === undefined) {
        expect(text).not.toMatch(/canary-|only-/);
        continue;
      }
      const other = name === 'apple' ? 'pear' : 'apple';
      expect(headers['cache-control']).toBe('private, no-store');
      expect(text).not.toMatch(new RegExp(`canary-${other}|only-${other}`));
      if (shows !== undefined) expect(text).toContain(`canary-${name}-${shows}`);
    }
  });
});

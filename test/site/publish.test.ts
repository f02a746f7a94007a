import { Site } from '@bindery/models';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { it as base } from '../support/site/siteIt.ts';
import { until } from '../support/until.ts';

const home = { id: 'home', title: 'Home', path: 'home', source: 'The home.' };
const more = { id: 'more', title: 'More', path: 'more', source: 'Some more.' };

const it = base.extend('open', ({ organization, server, hostname }) => async () => {
  let space = await publishPages(await buildSpace(organization), [home, more]);
  const site = await buildSite(organization, { spaces: [space], isPublished: true });
  return {
    site,
    read: async (path = '') => server.get(`${server.origin}/${hostname}/${site.basename}${path}`),
    publish: async (pages: (typeof home)[]) => {
      space = await publishPages(space, pages);
    },
  };
});

describe('a publish', () => {
  it('shows at once on the changed pages, and soon on the others', async ({ open }) => {
    const { read, publish } = await open();
    const [start, old] = [await read(), await read('/more')];
    expect([start.text.includes('/more"'), old.status]).toEqual([true, 200]);
    await publish([home, { ...more, source: 'Other words.' }]);
    // Keeps the answer for the start in use, so that it takes the place of the new one for a moment.
    await read();
    expect((await read('/more')).text).toContain('Other words.');

    await publish([home, { ...more, title: 'Another title' }]);
    expect((await read('/more')).text).toContain('Another title');
    await until('the title in the navigation', async () => (await read()).text.includes('Another title'));

    await publish([home]);
    expect((await read('/more')).status).toBe(404);
    await until('a navigation without the page', async () => !(await read()).text.includes('Another title'));
  });

  it('does not delay a change of the site', async ({ open }) => {
    const { site, read, publish } = await open();
    await read();
    await publish([home]);
    await Site.updateOne({ _id: site._id }, { $set: { title: 'Renamed' }, $inc: { version: 1 } });
    expect((await read()).text).toContain('Renamed');
    await read();
    await publish([home, more]);
    await Site.updateOne({ _id: site._id }, { $set: { isPublished: false }, $inc: { version: 1 } });
    expect((await read()).status).toBe(404);
  });
});

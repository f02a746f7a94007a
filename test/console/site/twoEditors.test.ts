import { SiteRedirect, SiteSection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../../support/console/consoleIt.ts';
import { buildSection, buildSite, buildSiteRedirect, buildSpace } from '../../support/factories.ts';

const it = base.extend('site', async ({ organization, space }) => {
  const site = await buildSite(organization);
  const section = await buildSection(site, { space });
  const api = `/v1/orgs/${organization._id}/sites/${site._id}`;
  return { record: site, section, api, path: `/organizations/${organization._id}/sites/${site._id}` };
});

/** The field with what a page showed, of its first form with this address. */
function seenIn(text: string, action: string): string {
  const [, form = ''] = text.split(`action="${action}"`);
  return /name="seen" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

describe('the later of two editors of a site', () => {
  it('sees that a section was renamed, and can rename it then', async ({ api, admin, atHome, site }) => {
    const action = `${site.path}/structure/rename`;
    const seen = seenIn((await atHome.get(`${site.path}/structure`)).text, action);
    const path = `${site.api}/sections/${site.section._id}`;
    await api.call('PATCH', path, { token: admin.token, json: { title: 'Of another' } });
    const renamed = `site-section:${site.section._id}`;
    const refused = await atHome.post(action, { renamed, newTitle: 'Mine', seen });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Somebody has changed the structure of the site');
    expect(refused.text).toContain('value="Mine"');
    expect(refused.text).toContain('Of another');
    expect(await SiteSection.findById(site.section._id)).toMatchObject({ title: 'Of another' });
    const again = { renamed, newTitle: 'Mine', seen: seenIn(refused.text, action) };
    expect((await atHome.post(action, again)).status).toBe(200);
    expect(await SiteSection.findById(site.section._id)).toMatchObject({ title: 'Mine' });
  });

  it.for<[string, string]>([
    ['remove', 'removed'],
    ['default', 'first'],
  ])(
    'does not %s a section that was moved meanwhile',
    async ([form, field], { api, admin, atHome, organization, site }) => {
      const other = await buildSection(site.record, { space: await buildSpace(organization) });
      const action = `${site.path}/structure/${form}`;
      const seen = seenIn((await atHome.get(`${site.path}/structure`)).text, action);
      const item = { type: 'site-section', id: site.section._id };
      const json = { item, position: { after: { type: 'site-section', id: other._id } } };
      const moved = await api.call('PATCH', `${site.api}/structure/sort`, { token: admin.token, json });
      expect(moved.status).toBe(200);
      const sent = { [field]: `site-section:${site.section._id}`, confirm: 'true' };
      expect((await atHome.post(action, { ...sent, seen })).status).toBe(409);
      expect(await SiteSection.countDocuments({ site: site.record._id })).toBe(2);
      const { text } = await atHome.get(`${site.path}/structure`);
      expect((await atHome.post(action, { ...sent, seen: seenIn(text, action) })).status).toBe(200);
    },
  );

  it('does not delete a redirect that has another destination now', async ({ api, admin, atHome, site }) => {
    const { _id } = await buildSiteRedirect(site.record);
    const action = `${site.path}/redirects/${_id}/delete`;
    const seen = seenIn((await atHome.get(`${site.path}/redirects`)).text, action);
    const json = { destination: { kind: 'external', url: 'https://example.org/elsewhere' } };
    await api.call('PATCH', `${site.api}/redirects/${_id}`, { token: admin.token, json });
    const refused = await atHome.post(action, { confirm: 'true', seen });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('changed this redirect')]);
    expect(refused.text).toContain('https://example.org/elsewhere');
    const again = { confirm: 'true', seen: seenIn(refused.text, action) };
    expect((await atHome.post(action, again)).status).toBe(200);
    expect(await SiteRedirect.exists({ _id })).toBeNull();
  });
});

import { countFeedback, Site, type SiteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../../support/console/consoleIt.ts';
import type { Visitor } from '../../support/console/consoleServer.ts';
import { buildRevision, buildSite, buildSpace } from '../../support/factories.ts';

describe('a site', () => {
  it('is created, changed, published, unpublished and deleted', async ({ atHome, organization }) => {
    const home = `/organizations/${organization._id}`;
    const made = await atHome.ask(`${home}/new-site`, { form: { title: 'Docs', visibility: 'unlisted' } });
    const path = made.headers.get('location') ?? '';
    expect((await atHome.get(home)).text).toContain(`<a href="${path}">Docs</a>`);
    const saved = await atHome.post(`${path}/settings`, { title: 'Manual', basename: 'manual' });
    expect(saved.text).toContain('<h1>Manual</h1>');
    expect((await atHome.post(`${path}/publish`)).text).toContain('<dd>published</dd>');
    await atHome.post(`${path}/visibility`, { visibility: 'share-link' });
    expect(await Site.findById(path.split('/').at(-1)).lean<SiteRecord>()).toMatchObject({
      basename: 'manual',
      visibility: 'share-link',
    });
    const withoutBox = await atHome.post(`${path}/unpublish`);
    expect(withoutBox.status).toBe(400);
    const off = await atHome.post(`${path}/unpublish`, { confirm: 'true' });
    expect(off.text).toContain('<dd>not published</dd>');
    await atHome.post(`${path}/delete`, { confirm: 'true' });
    expect((await atHome.get(path)).status).toBe(404);
  });

  it('gets spaces, sections, an order and a default', async ({ atHome, organization, space }) => {
    const other = await buildSpace(organization, { title: 'Other' });
    const site = await buildSite(organization);
    const path = `/organizations/${organization._id}/sites/${site._id}/structure`;
    await atHome.post(`${path}/spaces`, { space: space._id });
    const two = await atHome.post(`${path}/spaces`, { space: other._id });
    const ids = [...two.text.matchAll(/<option value="(site-space:\w+)"/g)].map(([, id = '']) => id);
    const [first = '', second = ''] = [...new Set(ids)];
    const change = changesAt(atHome, path);
    const sorted = await change('sort', { item: second, side: 'before', other: first });
    expect(sorted.text.indexOf(`value="${second}"`)).toBeLessThan(sorted.text.indexOf(`value="${first}"`));
    const preferred = await change('default', { first: second });
    expect(preferred.text).toMatch(/Other<\/a> <code>\w+<\/code> <strong>default/);
    const fewer = await change('remove', { removed: first, confirm: 'true' });
    expect(fewer.text).not.toContain(first);
    const third = await buildSpace(organization, { title: 'Third' });
    const section = await atHome.post(`${path}/sections`, {
      sectionSpace: third._id,
      sectionTitle: 'Guides',
    });
    expect(section.text).toContain('Guides');
    expect(section.text).toContain('Add a group of sections');
  });

  it('gets renamed, ordered and grouped sections', async ({ atHome, organization, space }) => {
    const other = await buildSpace(organization, { title: 'Other' });
    const site = await buildSite(organization);
    const home = `/organizations/${organization._id}/sites/${site._id}/structure`;
    expect((await atHome.get(home)).text).not.toContain(`${home}/rename`);
    await atHome.post(`${home}/sections`, { sectionSpace: space._id, sectionTitle: 'One' });
    const made = await atHome.post(`${home}/sections`, { sectionSpace: other._id, sectionTitle: 'Two' });
    const idOf = (text: string, title: string) =>
      new RegExp(`value="(site-section(?:-group)?:\\w+)"[^>]*>${title}<`).exec(text)?.[1] ?? '';
    const [one, two] = [idOf(made.text, 'One'), idOf(made.text, 'Two')];
    const newPath = 'first';
    const change = changesAt(atHome, home);
    const renamed = await change('rename', { renamed: one, newTitle: 'First', newPath });
    expect(renamed.text).toContain('First <code>first</code>');
    const sorted = await change('sort', { item: one, side: 'after', other: two });
    expect(sorted.text.indexOf(`value="${two}"`)).toBeLessThan(sorted.text.indexOf(`value="${one}"`));
    const [section = ''] = two.split(':').slice(1);
    const grouped = await atHome.post(`${home}/groups`, { groupTitle: 'Products', groupSection: section });
    const group = idOf(grouped.text, 'Products');
    const [groupId = ''] = group.split(':').slice(1);
    const named = await change('rename', { renamed: group, newTitle: 'Tools', newPath: '' });
    expect(named.text).toContain('<strong>Tools</strong> (group)');
    const both = await change('group-section', { grouped: one, intoGroup: groupId });
    expect(both.text).toContain('Tools / First</option>');
    const out = await change('ungroup-section', { ungrouped: `${groupId}:${section}` });
    expect(out.text).not.toContain('Tools / Two</option>');
    const refused = await change('rename', { renamed: one, newTitle: 'First', newPath: '/?' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="/?"')]);
  });

  it('gets share links, redirects and a hostname', async ({ atHome, organization }) => {
    const site = await buildSite(organization);
    const path = `/organizations/${organization._id}/sites/${site._id}`;
    const link = await atHome.post(`${path}/share-links`, { name: 'Partners' });
    expect(link.text).toContain('Revoke Partners');
    const [, revoke = ''] = /action="([^"]*share-links\/\w+\/delete)"/.exec(link.text) ?? [];
    expect((await atHome.post(revoke, { confirm: 'true' })).text).not.toContain('Revoke Partners');
    const redirect = { source: '/old', url: 'https://example.org/new' };
    const made = await atHome.post(`${path}/redirects`, redirect);
    expect(made.text).toContain('<td>https://example.org/new</td>');
    const hostname = 'docs.console.example.org';
    const claimed = await atHome.post(`${path}/hostname`, { hostname });
    expect(claimed.text).toContain(`<code>bindery-organization=${organization._id}</code>`);
    expect((await atHome.post(`${path}/hostname/${hostname}/check`)).status).toBe(200);
    const ended = await atHome.post(`${path}/hostname/${hostname}/delete`, { confirm: 'true' });
    expect(ended.text).not.toContain(`<h2>${hostname}</h2>`);
  });

  it('gets another look, and keeps the settings that the form has no field for', async ({
    api,
    atHome,
    organization,
    admin,
  }) => {
    const site = await buildSite(organization);
    const customization = `/v1/orgs/${organization._id}/sites/${site._id}/customization`;
    const json = { announcement: { enabled: true, message: 'New release', style: 'info' } };
    await api.call('PUT', customization, { token: admin.token, json });
    const path = `/organizations/${organization._id}/sites/${site._id}/customization`;
    const look = { theme: 'bold', primaryLight: '#123456', primaryDark: '#abcdef', copyright: 'Us' };
    const saved = await atHome.post(path, { ...look, locale: 'de', mode: 'dark', corners: 'straight' });
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('value="#123456"')]);
    const { body } = await api.call('GET', customization, { token: admin.token });
    expect(body).toMatchObject({
      ...json,
      styling: { theme: 'bold', primaryColor: { light: '#123456', dark: '#abcdef' } },
      pdf: { enabled: false },
    });
    const refused = await atHome.post(path, { ...look, primaryDark: 'blue' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="blue"')]);
  });

  it('shows how many readers found its pages helpful', async ({ atHome, organization, server, reader }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ id: 'start', title: 'Start <1>', path: 'start' }] });
    const site = await buildSite(organization, { spaces: [space] });
    const path = `/organizations/${organization._id}/sites/${site._id}`;
    expect((await atHome.get(path)).text).toContain(`<a href="${path}/feedback">Feedback</a>`);
    expect((await atHome.get(`${path}/feedback`)).text).toContain('No reader has answered.');
    const rated = { site: site._id, siteSpace: site.defaultSiteSpace! };
    const given = [
      ...Array.from({ length: 3 }, () => ({ ...rated, page: 'start', rating: 'bad' as const })),
      { ...rated, page: 'gone', rating: 'good' as const },
    ];
    await countFeedback(given, new Date());
    const { text } = await atHome.get(`${path}/feedback?months=12`);
    const numbers = (...all: number[]) => all.map((one) => `<td class="number">${one}</td>`).join('');
    expect(text).toContain(`Start &lt;1&gt; <code>start</code></td>${numbers(3, 0, 0)}`);
    expect(text).toContain(`<code>gone</code> (gone, or not yours to read)</td>${numbers(0, 0, 1)}`);
    expect(text).toContain('<option value="12" selected>Twelve months</option>');
    const visitor = server.visitor();
    await visitor.signIn(reader.token);
    expect((await visitor.get(`${path}/feedback`)).text).toContain('You may not change this site.');
    expect((await visitor.get(path)).text).not.toContain('/feedback');
  });

  it('has no forms for readers and editors', async ({ server, organization, reader, editor }) => {
    const site = await buildSite(organization);
    const path = `/organizations/${organization._id}/sites/${site._id}`;
    const pages = [
      '',
      '/structure',
      '/customization',
      '/redirects',
      '/share-links',
      '/hostname',
      '/permissions',
    ];
    for (const { token } of [reader, editor]) {
      const visitor = server.visitor();
      await visitor.signIn(token);
      for (const page of pages) {
        const { status, text } = await visitor.get(path + page);
        expect([page, status, text.match(/<form/g)?.length]).toEqual([page, 200, 1]);
      }
      for (const form of [
        '/settings',
        '/publish',
        '/delete',
        '/share-links',
        '/redirects',
        '/preview',
        '/customization',
      ]) {
        const { status } = await visitor.ask(path + form, { form: { confirm: 'true' } });
        expect([form, status]).toEqual([form, 403]);
      }
    }
  });
});

/** Sends forms of the structure of a site, each as the page has it now. */
function changesAt(visitor: Visitor, path: string) {
  return async (form: string, fields: Record<string, string>) => {
    const { text } = await visitor.get(path);
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
    return visitor.post(`${path}/${form}`, { ...fields, seen });
  };
}

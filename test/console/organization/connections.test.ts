import { SamlProvider, type SamlProviderRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../../support/console/consoleIt.ts';
import { buildSamlProvider } from '../../support/factories.ts';

describe('a provider of single sign-on', () => {
  it('is created, configured and deleted', async ({ atHome, organization }) => {
    const list = `/organizations/${organization._id}/single-sign-on`;
    const made = await atHome.ask(list, { form: { label: 'Okta' } });
    const path = made.headers.get('location') ?? '';
    const { text } = await atHome.get(path);
    expect(text).toContain('ACS URL');
    const refused = await atHome.post(`${path}/settings`, { label: 'Okta', certificate: 'no certificate' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('>\nno certificate<')]);
    const saved = await atHome.post(`${path}/settings`, {
      label: 'Entra',
      entityID: 'https://id.example.org',
      ssoURL: 'https://id.example.org/sso',
      certificate: '',
      defaultRole: 'edit',
      defaultTeam: '',
    });
    expect(saved.text).toContain('<h1>Entra</h1>');
    expect(await SamlProvider.findById(path.split('/').at(-1)).lean<SamlProviderRecord>()).toMatchObject({
      defaultRole: 'edit',
    });
    expect((await atHome.post(`${path}/delete`)).status).toBe(400);
    expect((await atHome.post(`${path}/delete`, { confirm: 'true' })).text).not.toContain('Entra');
  });
});

describe('a webhook', () => {
  it('is created with a secret that is shown once, tested, changed and deleted', async ({
    atHome,
    organization,
    server,
  }) => {
    const list = `/organizations/${organization._id}/webhooks`;
    const made = await atHome.post(list, {
      url: 'https://hook.invalid/a',
      description: 'Builds',
      'event-space_content_updated': 'true',
      enabled: 'true',
    });
    expect(made.status).toBe(201);
    const [, secret = ''] = />(whsec_[^<]+)</.exec(made.text) ?? [];
    const [, path = ''] = /<a href="([^"]+)">To the webhook/.exec(made.text) ?? [];
    const page = await atHome.get(path);
    expect(page.text).toContain('name="event-space_content_updated" type="checkbox" value="true" checked');
    expect(page.text + server.log.join('')).not.toContain(secret);
    const sent = await atHome.ask(`${path}/ping`, { form: {} });
    const delivery = sent.headers.get('location') ?? '';
    expect((await atHome.get(delivery)).text).toContain('ping (a test)');
    expect((await atHome.get(path)).text).toContain(`href="${delivery}"`);
    expect((await atHome.post(`${delivery}/redeliver`)).status).toBe(200);
    const changed = await atHome.post(`${path}/settings`, { url: 'https://hook.invalid/b' });
    expect(changed.text).toContain('<dd>disabled</dd>');
    const rotated = await atHome.post(`${path}/secret`, { confirm: 'true' });
    expect(rotated.text).toContain('whsec_');
    expect(rotated.text).not.toContain(secret);
    await atHome.post(`${path}/delete`, { confirm: 'true' });
    expect((await atHome.get(path)).status).toBe(404);
  });
});

describe('readers and editors', () => {
  it('get no forms to change providers or webhooks', async ({ server, organization, reader, editor }) => {
    const provider = await buildSamlProvider(organization);
    const home = `/organizations/${organization._id}`;
    for (const { token } of [reader, editor]) {
      const visitor = server.visitor();
      await visitor.signIn(token);
      for (const path of ['single-sign-on', `single-sign-on/${provider._id}`, 'webhooks']) {
        const { status, text } = await visitor.get(`${home}/${path}`);
        expect([path, status, text.match(/<form/g)?.length]).toEqual([path, 200, 1]);
      }
      for (const path of ['single-sign-on', `single-sign-on/${provider._id}/settings`, 'webhooks']) {
        const { status } = await visitor.ask(`${home}/${path}`, { form: { label: 'No' } });
        expect([path, status]).toEqual([path, 403]);
      }
    }
  });
});

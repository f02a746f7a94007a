import { ApiToken, Member, type ApiTokenRecord, type MemberRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../../support/console/consoleIt.ts';
import { buildToken, buildUser } from '../../support/factories.ts';

describe('API tokens', () => {
  it('are created with scopes and an expiry, shown once, and revoked', async ({
    api,
    atHome,
    server,
    organization,
    admin,
  }) => {
    const made = await atHome.post('/tokens', {
      label: 'Build',
      'scope-write': 'true',
      days: '7',
      onlyIn: organization._id,
      spaces: '',
    });
    expect(made.status).toBe(201);
    const [, token = ''] = /aria-label="Token">([^<]+)</.exec(made.text) ?? [];
    expect((await api.call('GET', '/v1/user', { token })).status).toBe(200);
    const record = await ApiToken.findOne({ user: admin.user._id, label: 'Build' }).lean<ApiTokenRecord>();
    expect(record).toMatchObject({ scopes: ['write'], organizations: [organization._id] });
    expect(record!.expiresAt!.getTime() - Date.now()).toBeLessThanOrEqual(7 * 24 * 60 * 60 * 1_000);
    const list = await atHome.get('/tokens');
    expect(list.text).toContain('Build');
    expect(list.text + server.log.join('')).not.toContain(token);
    await atHome.post(`/tokens/${record!._id}/revoke`, { confirm: 'true' });
    expect((await api.call('GET', '/v1/user', { token })).status).toBe(401);
    expect((await atHome.get('/tokens')).text).not.toContain('Revoke Build<');
  });

  it('keep the entered values when the API refuses them', async ({ atHome }) => {
    const { status, text } = await atHome.post('/tokens', { label: '', 'scope-jobs': 'true', days: '365' });
    expect(status).toBe(400);
    expect(text).toContain('name="scope-jobs" type="checkbox" value="true" checked');
    expect(text).toContain('<option value="365" selected>');
  });

  it('are not created or revoked by a session with a read-only token', async ({ server, admin }) => {
    const { token, tokenId } = await buildToken(admin.user, { scopes: ['read'] });
    const visitor = server.visitor();
    await visitor.signIn(token);
    const { text } = await visitor.get('/tokens');
    expect(text.match(/<form/g)).toHaveLength(1);
    expect(text).toContain('bindery token create');
    expect((await visitor.ask('/tokens', { form: { label: 'More' } })).status).toBe(403);
    const form = { confirm: 'true' };
    expect((await visitor.ask(`/tokens/${tokenId}/revoke`, { form })).status).toBe(403);
  });
});

describe('the invites of a user', () => {
  it('are accepted or declined', async ({ atHome, server, organization }) => {
    const { user, token } = await buildUser();
    const invites = `/organizations/${organization._id}/invites/users`;
    await atHome.post(invites, { emails: user.email ?? '', inviteRole: 'edit' });
    const visitor = server.visitor();
    await visitor.signIn(token);
    const place = `/memberships/${organization._id}`;
    expect((await visitor.get('/memberships')).text).toContain(`action="${place}/accept"`);
    expect((await visitor.post(`${place}/decline`)).text).toContain('There are none.');
    expect((await visitor.post(`${place}/accept`)).status).toBe(404);
    await atHome.post(invites, { emails: user.email ?? '', inviteRole: 'edit' });
    expect((await visitor.post(`${place}/accept`)).text).toContain(`<h1>${organization.title}</h1>`);
    const member = await Member.findOne({ user: user._id }).lean<MemberRecord>();
    expect(member).toMatchObject({ role: 'edit' });
  });
});

describe('the overview', () => {
  it('links to the operator area for operators only', async ({ api, atHome, server }) => {
    const { token } = await buildUser({ isOperator: true });
    const visitor = server.visitor();
    await visitor.signIn(token);
    const link = `<a href="${api.config.api.publicUrl}/admin">`;
    expect((await visitor.get('/')).text).toContain(link);
    expect((await atHome.get('/')).text).not.toContain(link);
  });
});

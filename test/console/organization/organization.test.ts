import { Invite, Member, Team, type MemberRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../../support/console/consoleIt.ts';
import { buildInvite, buildMember, buildTeam, buildUser } from '../../support/factories.ts';

describe('the settings of an organization', () => {
  it('change, and show the DNS record that verifies an e-mail domain', async ({ atHome, organization }) => {
    const path = `/organizations/${organization._id}/settings`;
    const saved = await atHome.post(path, {
      title: 'New "title"',
      hostname: '',
      logo: '',
      defaultRole: 'none',
      defaultSite: '',
      inviteLinks: 'true',
    });
    expect(saved.status).toBe(200);
    expect(saved.text).toContain('value="New &quot;title&quot;"');
    expect(saved.text).toContain('<option value="none" selected>');
    const domain = await atHome.post(`${path}/email-domains`, { emailDomains: 'example.com\r\n' });
    expect(domain.text).toContain(`<code>bindery-email-domain=${organization._id}</code>`);
    const refused = await atHome.post(`${path}/email-domains`, { emailDomains: 'gmail.com' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('>\ngmail.com</textarea>')]);
  });
});

describe('the members of an organization', () => {
  it('are searched, get a role, and are removed after a confirmation', async ({ atHome, organization }) => {
    const path = `/organizations/${organization._id}/members`;
    const { user } = await buildMember(organization, 'read', { email: 'grace@example.org' });
    const found = await atHome.get(`${path}?search=grace`);
    expect(found.text).toContain(`href="${path}/${user._id}"`);
    expect((await atHome.get(`${path}?role=guest`)).text).not.toContain(user._id);
    const changed = await atHome.post(`${path}/${user._id}/role`, { role: 'none' });
    expect(changed.text).toContain('<dd>guest</dd>');
    expect((await atHome.get(`${path}?role=guest`)).text).toContain(user._id);
    const asked = await atHome.post(`${path}/${user._id}/single-sign-on`);
    expect(asked.status).toBe(200);
    const unconfirmed = await atHome.post(`${path}/${user._id}/remove`);
    expect([unconfirmed.status, unconfirmed.text]).toEqual([
      400,
      expect.stringContaining('Nothing was changed.'),
    ]);
    const removed = await atHome.ask(`${path}/${user._id}/remove`, { form: { confirm: 'true' } });
    expect([removed.status, removed.headers.get('location')]).toEqual([303, path]);
    expect(await Member.exists({ organization: organization._id, user: user._id })).toBeNull();
  });

  it('are listed in pages', async ({ atHome, organization }) => {
    for (let count = 0; count < 51; count += 1) await buildMember(organization, 'comment');
    const path = `/organizations/${organization._id}/members`;
    const first = await atHome.get(`${path}?role=comment`);
    const [, further = ''] = /<a href="([^"]*)">Further members/.exec(first.text) ?? [];
    const second = await atHome.get(further.replaceAll('&amp;', '&'));
    expect(second.text.match(/<td>comment<\/td>/g)).toHaveLength(1);
    expect(second.text).not.toContain('Further members');
  });

  it('can leave, except for the last admin', async ({ atHome, server, organization, admin }) => {
    const member = await buildMember(organization, 'read');
    const visitor = server.visitor();
    await visitor.signIn(member.token);
    const path = `/organizations/${organization._id}/members`;
    expect((await visitor.get(`${path}/${member.user._id}`)).text).toContain('Leave the organization');
    const left = await visitor.post(`${path}/${member.user._id}/remove`, { confirm: 'true' });
    expect(left.text).toContain('You are in no organization.');
    const refused = await atHome.post(`${path}/${admin.user._id}/role`, { role: 'read' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('last admin')]);
  });
});

describe('the teams of an organization', () => {
  it('are created, filled, renamed and deleted', async ({ atHome, organization, reader }) => {
    const path = `/organizations/${organization._id}/teams`;
    const made = await atHome.ask(path, { form: { title: 'Writers' } });
    const team = made.headers.get('location') ?? '';
    const added = await atHome.post(`${team}/add`, { add: `${reader.user.email}\r\n` });
    expect(added.text).toContain(reader.user.email);
    const member = reader.user._id;
    const owner = await atHome.post(`${team}/member`, { member, change: 'owner' });
    expect(owner.text.match(/<td>owner<\/td>/g)).toHaveLength(2);
    const out = await atHome.post(`${team}/member`, { member, change: 'remove' });
    expect(out.text).not.toContain(reader.user.email);
    expect((await atHome.post(`${team}/title`, { title: 'Editors' })).text).toContain('<h1>Editors</h1>');
    expect((await atHome.get(`${path}?search=edit`)).text).toContain('Editors');
    const deleted = await atHome.post(`${team}/delete`, { confirm: 'true' });
    expect(deleted.text).not.toContain('Editors');
  });

  it('are managed by their owners', async ({ server, organization, editor }) => {
    const team = await buildTeam(organization, { members: [[editor, 'owner']] });
    const visitor = server.visitor();
    await visitor.signIn(editor.token);
    const path = `/organizations/${organization._id}/teams`;
    expect((await visitor.get(path)).text).not.toContain('Create a team');
    await visitor.post(`${path}/${team._id}/title`, { title: 'Own' });
    expect(await Team.findById(team._id).lean()).toMatchObject({ title: 'Own' });
  });
});

describe('the invites of an organization', () => {
  it('add new users as members, and ask existing users, which can be withdrawn', async ({
    atHome,
    organization,
  }) => {
    const path = `/organizations/${organization._id}/invites`;
    const { user } = await buildUser();
    const invited = await atHome.post(`${path}/users`, {
      emails: `new-${organization._id.toLowerCase()}@example.net ${user.email}`,
      inviteRole: 'edit',
    });
    expect(invited.text).toContain('New members: 1');
    expect(invited.text).toContain('Asked to agree first: 1');
    expect((await atHome.get(path)).text).toContain(`Withdraw ${user.email}`);
    const withdrawn = await atHome.post(`${path}/pending/${user._id}/withdraw`);
    expect(withdrawn.text).not.toContain(`Withdraw ${user.email}`);
  });

  it('are links that other users accept in the console, until they are revoked', async ({
    atHome,
    server,
    organization,
  }) => {
    const path = `/organizations/${organization._id}/invites`;
    await atHome.post(`${path}/links`, { linkRole: 'read' });
    const invite = (await Invite.findOne({ organization: organization._id }).lean<{ _id: string }>())!;
    const page = await atHome.get(`${path}/links/${invite._id}`);
    const join = `/join/${organization._id}/${invite._id}`;
    expect(page.text).toContain(`<code>${server.origin}${join}</code>`);
    await atHome.post(`${path}/links/${invite._id}/role`, { field: 'role', role: 'edit' });
    const newcomer = await buildUser();
    const visitor = server.visitor();
    await visitor.signIn(newcomer.token);
    expect((await visitor.get(join)).text).toContain(`action="${join}"`);
    expect((await visitor.post(join)).text).toContain(organization._id);
    const member = await Member.findOne({ user: newcomer.user._id }).lean<MemberRecord>();
    expect(member).toMatchObject({ organization: organization._id, role: 'edit' });
    await atHome.post(`${path}/links/${invite._id}/revoke`, { confirm: 'true' });
    expect((await visitor.post(join)).status).toBe(404);
  });
});

describe('readers and editors', () => {
  it('get no forms to change the organization', async ({ server, organization, reader, editor, admin }) => {
    const team = await buildTeam(organization);
    const invite = await buildInvite(organization);
    for (const { token } of [reader, editor]) {
      const visitor = server.visitor();
      await visitor.signIn(token);
      for (const path of [
        'settings',
        'teams',
        `teams/${team._id}`,
        'members',
        `members/${admin.user._id}`,
        'invites',
        `invites/links/${invite._id}`,
      ]) {
        const { status, text } = await visitor.get(`/organizations/${organization._id}/${path}`);
        expect([path, status, text.match(/<form method="post"/g)?.length]).toEqual([path, 200, 1]);
      }
      const sent: Record<string, Record<string, string>> = {
        settings: { title: 'No' },
        'settings/email-domains': { emailDomains: '' },
        teams: { title: 'No' },
        [`teams/${team._id}/delete`]: { confirm: 'true' },
        [`members/${admin.user._id}/role`]: { role: 'read' },
        [`members/${admin.user._id}/remove`]: { confirm: 'true' },
        'invites/users': { emails: 'a@example.org' },
        'invites/links': { linkRole: 'admin' },
      };
      for (const [path, form] of Object.entries(sent)) {
        const { status, text } = await visitor.ask(`/organizations/${organization._id}/${path}`, { form });
        expect([path, status]).toEqual([path, 403]);
        expect(text).toContain('role="alert"');
      }
    }
  });
});

import {
  Grant,
  Member,
  SamlProvider,
  Site,
  Space,
  Team,
  refreshAccess,
  refreshSiteAccess,
  withTransaction,
} from '@bindery/models';
import type { GrantRecord, TeamRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildMember,
  buildOrganization,
  buildSamlProvider,
  buildSpace,
  buildTeam,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('owner', { scope: 'file' }, ({ organization }) => buildMember(organization, 'read'))
  .extend('elsewhere', { scope: 'file' }, ({ api: _started }) => buildOrganization())
  .extend(
    'url',
    ({ organization }) =>
      (team: TeamRecord | string) =>
        `/v1/orgs/${organization._id}/teams/${typeof team === 'string' ? team : team._id}`,
  )
  .extend(
    'get',
    ({ api, admin, url }) =>
      (team: TeamRecord, { token } = admin) =>
        api.call('GET', url(team), { token }),
  )
  .extend(
    'remove',
    ({ api, admin, url }) =>
      (team: TeamRecord | string, { token } = admin) =>
        api.call('DELETE', url(team), { token }),
  )
  /** Stores a grant as the operations for permissions do. */
  .extend(
    'grant',
    ({ organization }) =>
      async (
        team: TeamRecord,
        targetType: 'space' | 'site',
        target: string,
        role: GrantRecord['role'] = 'edit',
      ): Promise<void> => {
        await Grant.create({
          ...{
            _id: newId(),
            organization: organization._id,
            targetType,
            target,
            principalType: 'team',
            principal: team._id,
            role,
          },
          createdAt: new Date(),
        });
        await withTransaction((session) =>
          targetType === 'site' ? refreshSiteAccess([target], session) : refreshAccess([target], session),
        );
      },
  );

describe('DELETE /v1/orgs/{organizationId}/teams/{teamId}', () => {
  it('removes the team from its members, grants and providers', async ({
    api,
    organization,
    guest,
    owner,
    get,
    remove,
    grant,
  }) => {
    const team = await buildTeam(organization, {
      members: [
        [owner, 'owner'],
        [guest, 'member'],
      ],
    });
    const kept = await buildTeam(organization, { members: [[guest, 'member']] });
    const space = await buildSpace(organization, { defaultLevel: null });
    await grant(team, 'space', space._id);
    await grant(kept, 'space', space._id, 'comment');
    const site = await Site.create({
      ...{
        _id: newId(),
        organization: organization._id,
        title: 'Site',
        basename: newId(),
        defaultLevel: 'inherit',
      },
      ...{ access: {}, createdBy: 'nobody', createdAt: new Date() },
    });
    await grant(team, 'site', site._id);
    const provider = await buildSamlProvider(organization, { defaultTeam: team._id, defaultRole: 'read' });
    const roleOf = async () =>
      (await api.call('GET', `/v1/spaces/${space._id}`, { token: guest.token })).body.permissions;
    expect(await roleOf()).toMatchObject({ edit: true });

    expect((await remove(team)).status).toBe(204);

    expect(await Team.findById(team._id)).toBeNull();
    expect(await Member.find({ 'teams.team': team._id })).toEqual([]);
    expect(await Grant.find({ principal: team._id })).toEqual([]);
    expect(await roleOf()).toMatchObject({ comment: true, edit: false });
    expect((await Space.findById(space._id).lean())?.access).toMatchObject({
      grants: [{ to: kept._id, role: 'comment' }],
      readers: [kept._id],
    });
    expect((await Site.findById(site._id).lean())?.access).toMatchObject({
      grants: [],
      readers: ['members'],
    });
    const after = await SamlProvider.findById(provider._id).lean();
    expect([after?.defaultTeam, after?.defaultRole, after?.version]).toEqual([undefined, 'read', 2]);
    expect((await get(kept)).body.members).toBe(1);
  });

  it('answers 204 for an unknown team, and refuses callers who may not delete it', async ({
    api,
    organization,
    reader,
    guest,
    owner,
    elsewhere,
    get,
    remove,
  }) => {
    const team = await buildTeam(organization, { members: [[owner, 'owner']] });
    for (const other of [reader, guest]) expect((await remove(team, other)).status).toBe(403);
    expect((await remove(team, elsewhere.admin)).status).toBe(404);
    const path = `/v1/orgs/${elsewhere.organization._id}/teams/${team._id}`;
    expect((await api.call('DELETE', path, { token: elsewhere.admin.token })).status).toBe(204);
    expect((await get(team)).status).toBe(200);
    expect((await remove(team, owner)).status).toBe(204);
    expect((await remove(team)).status).toBe(204);
    expect((await remove('nothing')).status).toBe(204);
    expect((await get(team)).status).toBe(404);
  });

  it('leaves no member in the team who is added at the same moment', async ({
    api,
    organization,
    admin,
    reader,
    guest,
    owner,
    url,
    remove,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const team = await buildTeam(organization, { members: [[owner, 'owner']] });
      const answers = await Promise.all([
        remove(team),
        api.call('PUT', `${url(team)}/members/${reader.user._id}`, {
          token: admin.token,
          json: { role: 'member' },
        }),
        api.call('PUT', `${url(team)}/members`, { token: admin.token, json: { add: [guest.user._id] } }),
        api.call('POST', `/v1/orgs/${organization._id}/saml`, {
          token: admin.token,
          json: { label: 'x', defaultTeam: team._id },
        }),
      ]);
      expect(answers.every(({ status }) => status < 500)).toBe(true);
      expect(await Member.countDocuments({ 'teams.team': team._id })).toBe(0);
      expect(await SamlProvider.countDocuments({ defaultTeam: team._id })).toBe(0);
    }
  });
});

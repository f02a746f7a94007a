import { Member } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { expect } from 'vitest';
import { buildUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base.extend('environment', { scope: 'file' }, { BINDERY_SINGLE_COMPANY: 'true' });

it('asks no user, and takes e-mail domains without a proof', async ({ api, organization, admin }) => {
  const path = `/v1/orgs/${organization._id}`;
  const { user } = await buildUser();
  const invited = await api.call('POST', `${path}/invites`, {
    token: admin.token,
    json: { emails: [user.email], role: 'edit' },
  });
  expect(invited.body).toEqual({ users: [user._id], invited: 1 });
  expect(await Member.findOne({ user: user._id }).lean()).toMatchObject({
    organization: organization._id,
    role: 'edit',
  });
  expect((await api.call('POST', `${path}/members/${user._id}/sso`, { token: admin.token })).body.sso).toBe(
    true,
  );

  const domain = `${newId().toLowerCase()}.example`;
  const { body } = await api.call('PATCH', path, { token: admin.token, json: { emailDomains: [domain] } });
  expect(body.emailDomainVerification).toMatchObject([{ domain, status: 'verified' }]);
  const { token } = await buildUser({ email: `ann@${domain}` });
  expect(
    (await api.call('GET', `/v1/email-domains/${domain}/orgs`, { token })).body.organizations,
  ).toHaveLength(1);
  expect((await api.call('POST', `${path}/join`, { token })).status).toBe(204);
});

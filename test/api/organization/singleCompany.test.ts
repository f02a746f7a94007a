import { Member, Organization, startSamlSignIn, type OrganizationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { createSamlReader, issuerOf, serviceOf } from '@bindery/sign-in';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildUser } from '../../support/factories.ts';
import { itInNewOrganization } from '../../support/it.ts';
import { startIdentityProvider } from '../../support/sign-in/identityProvider.ts';
import { ada, buildSignIn, postResponse } from '../../support/sign-in/samlProvider.ts';

const it = itInNewOrganization
  .extend('environment', { scope: 'file' }, { BINDERY_SINGLE_COMPANY: 'true' })
  .extend('idp', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const idp = await startIdentityProvider('');
    onCleanup(idp.close);
    return idp;
  })
  .extend('reader', { scope: 'file' }, ({ api: _started }, { onCleanup }) => {
    const reader = createSamlReader();
    onCleanup(reader.close);
    return reader;
  })
  .extend('provider', ({ organization, idp }) => buildSignIn(organization, idp))
  // A sign-in through the provider with an address; the status of the answer.
  .extend('signIn', ({ api, idp, provider, reader }) => async (email: string) => {
    const service = serviceOf(api.config.api.publicUrl, provider._id);
    const issuer = issuerOf(provider) ?? expect.fail('The settings are incomplete.');
    const { id } = await startSamlSignIn(provider._id);
    const url = await reader.requestUrl(service, issuer, id);
    const { response } = await idp.answer(url, { recipient: service.acsUrl }, { ...ada, id: email });
    return (await postResponse(api, service.acsUrl, response)).status;
  });

describe('an installation of a single company', () => {
  it('adds members without asking them, and accepts e-mail domains without a proof', async ({
    api,
    organization,
    admin,
  }) => {
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

    const domain = `${newId().toLowerCase()}.example`;
    const { body } = await api.call('PATCH', path, { token: admin.token, json: { emailDomains: [domain] } });
    expect(body.emailDomainVerification).toMatchObject([{ domain, status: 'verified' }]);
    const { token } = await buildUser({ email: `ann@${domain}` });
    expect(
      (await api.call('GET', `/v1/email-domains/${domain}/orgs`, { token })).body.organizations,
    ).toHaveLength(1);
    expect((await api.call('POST', `${path}/join`, { token })).status).toBe(204);
  });

  it('with one organization lets its provider sign in any user', async ({
    api,
    organization,
    admin,
    signIn,
    onTestFinished,
  }) => {
    const others = await Organization.find({ _id: { $ne: organization._id } }).lean<OrganizationRecord[]>();
    onTestFinished(async () => void (await Organization.insertMany(others)));
    await Organization.deleteMany({ _id: { $ne: organization._id } });
    const { user } = await buildUser();
    expect(await signIn(user.email ?? '')).toBe(303);
    const member = await buildMember(organization, 'read');
    const { body } = await api.call('POST', `/v1/orgs/${organization._id}/members/${member.user._id}/sso`, {
      token: admin.token,
    });
    expect(body.sso).toBe(true);
  });

  it('with several lets a provider sign in users of its proven domains and members who agreed', async ({
    api,
    organization,
    admin,
    signIn,
  }) => {
    await buildOrganization();
    await Organization.updateOne({ _id: organization._id }, { $push: { emailDomains: 'listed.example' } });
    expect(await signIn(`proven-${newId().toLowerCase()}@docs.example`)).toBe(303);
    expect(await signIn(`listed-${newId().toLowerCase()}@listed.example`)).toBe(403);
    const stranger = await buildUser();
    expect(await signIn(stranger.user.email ?? '')).toBe(403);

    const path = `/v1/orgs/${organization._id}`;
    const { email = '' } = stranger.user;
    const invited = await api.call('POST', `${path}/invites`, {
      token: admin.token,
      json: { emails: [email], sso: true },
    });
    expect(invited.body).toEqual({ users: [stranger.user._id], invited: 1 });
    const asked = await api.call('POST', `${path}/members/${stranger.user._id}/sso`, { token: admin.token });
    expect(asked.body.sso).toBe(false);
    expect(await signIn(email)).toBe(403);
    await api.call('POST', `/v1/user/pending-memberships/${organization._id}/accept`, {
      token: stranger.token,
      json: { sso: true },
    });
    expect(await signIn(email)).toBe(303);
  });
});

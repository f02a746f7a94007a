import { Organization, SamlProvider } from '@bindery/models';
import { describe, expect } from 'vitest';
import { certificates } from '../../support/http/certificates.ts';
import { buildOrganization, buildSamlProvider } from '../../support/factories.ts';
import { it } from '../../support/it.ts';

const active = {
  entityID: 'idp',
  certificate: certificates.p256,
  ssoURL: 'https://idp.example.org',
  status: 'active',
} as const;

describe('an organization that requires single sign-on', () => {
  it('keeps its last active provider, and names the remedy', async ({ api }) => {
    const { organization, admin } = await buildOrganization({ sso: true });
    const provider = await buildSamlProvider(organization, active);
    await buildSamlProvider(organization);
    const path = `/v1/orgs/${organization._id}/saml/${provider._id}`;
    const before = await SamlProvider.findById(provider._id).lean();
    const refused = [
      await api.call('DELETE', path, { token: admin.token }),
      await api.call('PATCH', path, { token: admin.token, json: { certificate: '' } }),
      await api.call('PATCH', path, { token: admin.token, json: { label: 'New', ssoURL: null } }),
    ];
    for (const { status, body } of refused)
      expect([status, body.error.action]).toEqual([
        412,
        expect.stringContaining('Set up another provider first'),
      ]);
    expect(await SamlProvider.findById(provider._id).lean()).toEqual(before);
    expect(
      (
        await api.call('PATCH', path, {
          token: admin.token,
          json: { label: 'New', ssoURL: 'https://new.example.org' },
        })
      ).status,
    ).toBe(200);
  });

  it('may lose one of two providers, or any when it no longer requires single sign-on', async ({ api }) => {
    const { organization, admin } = await buildOrganization({ sso: true });
    const providers = [
      await buildSamlProvider(organization, active),
      await buildSamlProvider(organization, active),
    ];
    const remove = (index: number) =>
      api.call('DELETE', `/v1/orgs/${organization._id}/saml/${providers[index]?._id}`, {
        token: admin.token,
      });
    expect((await remove(0)).status).toBe(204);
    expect((await remove(1)).status).toBe(412);
    await Organization.updateOne({ _id: organization._id }, { $set: { sso: false } });
    expect((await remove(1)).status).toBe(204);
  });

  it('keeps one of two providers that are removed at the same moment', async ({ api }) => {
    for (let round = 0; round < 5; round += 1) {
      const { organization, admin } = await buildOrganization({ sso: true });
      const providers = await Promise.all([1, 2, 3].map(() => buildSamlProvider(organization, active)));
      const answers = await Promise.all(
        providers.map(({ _id }, i) =>
          api.call(i === 0 ? 'PATCH' : 'DELETE', `/v1/orgs/${organization._id}/saml/${_id}`, {
            token: admin.token,
            ...(i === 0 && { json: { entityID: '' } }),
          }),
        ),
      );
      expect(answers.map(({ status }) => status).filter((status) => status === 412)).toHaveLength(1);
      expect(await SamlProvider.countDocuments({ organization: organization._id, status: 'active' })).toBe(1);
    }
  });

  it('has an active provider when the requirement and the removal of its only provider race', async ({
    api,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const { organization, admin } = await buildOrganization();
      const provider = await buildSamlProvider(organization, active);
      const path = `/v1/orgs/${organization._id}`;
      const answers = await Promise.all([
        api.call('PATCH', path, { token: admin.token, json: { sso: true } }),
        api.call('DELETE', `${path}/saml/${provider._id}`, { token: admin.token }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status === 412)).toHaveLength(1);
      const isRequired = (await api.call('GET', path, { token: admin.token })).body.sso;
      expect(await SamlProvider.countDocuments({ organization: organization._id, status: 'active' })).toBe(
        isRequired ? 1 : 0,
      );
    }
  });
});

import { newId } from '@bindery/runtime';
import { expect } from 'vitest';
import { buildSite } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

it('reads, revalidates and removes custom hostnames', async ({ client, organization, admin }) => {
  const site = await buildSite(organization, { isPublished: true });
  const hostname = `docs.${newId().toLowerCase()}.example.org`;
  // The published client has no operation that adds one.
  const put = await client.api.call('PUT', `/v1/custom-hostnames/${hostname}`, {
    token: admin.token,
    json: { target: { type: 'site', site: site._id } },
  });
  expect(put.status).toBe(201);
  expect((await client.call('getCustomHostname', [hostname])).data).toMatchObject({
    hostname,
    isActive: false,
  });
  await client.call('dnsRevalidateCustomHostname', [hostname]);
  await client.call('removeCustomHostname', [hostname]);
  expect(await client.refused('getCustomHostname', [hostname])).toMatchObject({ code: 404 });
  client.expectValid('getCustomHostname', 'dnsRevalidateCustomHostname', 'removeCustomHostname');
});

import { WebhookPayload } from '@bindery/contract';
import { OutboxEvent } from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { startWebhooks } from '../../../apps/worker-maintenance/src/webhooks/startWebhooks.ts';
import { startWebhookReceiver } from '../../support/http/webhookReceiver.ts';
import { buildEndpoint } from '../../support/http/webhooks.ts';
import { it as base, petstore } from '../../support/openapi/specs.ts';
import { until } from '../../support/until.ts';

// From the publication of a version to a receiver.

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startWebhookReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  .extend('environment', { scope: 'file' }, ({ server, receiver }) => ({
    BINDERY_OUTBOUND_ALLOW: `${server.hostPort},${receiver.hostPort}`,
  }))
  .extend('register', { scope: 'file' }, ({ api, organization, receiver }) => {
    return (path: string, fields: Partial<Parameters<typeof buildEndpoint>[1]> = {}) =>
      buildEndpoint(api.config, {
        organization: organization._id,
        url: `${receiver.origin}${path}`,
        ...fields,
      });
  })
  .extend('sending', { scope: 'file', auto: true }, ({ api }, { onCleanup }) => {
    const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
    onCleanup(startWebhooks({ config: api.config, logger }));
    return true;
  })
  .extend('received', { scope: 'file' }, ({ receiver }) => async (path: string, count: number) => {
    const requests = await until(`${count} requests at ${path}`, () =>
      receiver.receivedAt(path).length >= count ? receiver.receivedAt(path) : undefined,
    );
    return requests.map(({ body }) => WebhookPayload.parse(JSON.parse(body)));
  });

describe('openapi_version_created', { timeout: 180_000 }, () => {
  it('is sent once for each version, with the changes since the previous one', async ({
    organization,
    call,
    register,
    received,
    twoVersions,
  }) => {
    await register('/versions', { events: ['openapi_version_created'] });
    const { first, second, version } = await twoVersions('told');
    const { body: spec } = await call('GET', 'told');
    const about = {
      eventId: expect.any(String),
      type: 'openapi_version_created',
      timestamp: expect.any(String),
      organizationId: organization._id,
      ...{ specId: spec.id, specSlug: 'told', title: 'Pets', documentVersion: '1.0' },
    };
    const { before, ...changes } = version.changes;
    expect([before, changes.breaking]).toEqual([first, 1]);
    expect(await received('/versions', 2)).toEqual([
      { ...about, versionId: first },
      { ...about, versionId: second, previousVersionId: first, changes },
    ]);
    expect(await OutboxEvent.countDocuments({ 'data.specId': spec.id })).toBe(2);
  });

  it('is not sent when no version is made', async ({ put, reviewed }) => {
    await put('same', { text: petstore() });
    await reviewed('same/versions/latest');
    const { id } = await put('same', { text: `${petstore()}\n` });
    expect(await OutboxEvent.countDocuments({ 'data.specId': id })).toBe(1);
  });

  it('is sent only to webhooks of the organization that subscribe to it', async ({
    receiver,
    register,
    received,
    put,
    reviewed,
  }) => {
    await register('/other-kind', { events: ['space_content_updated'] });
    await register('/of-a-space', { spaces: [newId()] });
    await register('/elsewhere', { organization: newId() });
    await register('/all');
    await put('wanted', { text: petstore({}, { info: { title: 'P'.repeat(1_000), version: '2' } }) });
    await reviewed('wanted/versions/latest');
    expect(await received('/all', 1)).toMatchObject([{ specSlug: 'wanted', title: 'P'.repeat(256) }]);
    await until('end of handing out', async () => !(await OutboxEvent.exists({ fannedOutAt: null })));
    for (const path of ['/other-kind', '/of-a-space', '/elsewhere'])
      expect(receiver.receivedAt(path)).toEqual([]);
  });
});

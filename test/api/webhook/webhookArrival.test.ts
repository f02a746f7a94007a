import { createLogger } from '@bindery/runtime';
import { expect } from 'vitest';
import { startWebhooks } from '../../../apps/worker-maintenance/src/webhooks/startWebhooks.ts';
import { it as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';
import { loadWebhookExample } from '../../support/http/webhookExample.ts';
import { startWebhookReceiver } from '../../support/http/webhookReceiver.ts';

// From the API through the worker to a receiver that does what docs/webhooks.md says.

const it = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startWebhookReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  .extend('environment', { scope: 'file' }, ({ receiver }) => ({ BINDERY_OUTBOUND_ALLOW: receiver.hostPort }))
  .extend('sending', { scope: 'file', auto: true }, ({ api }, { onCleanup }) => {
    onCleanup(
      startWebhooks({
        config: api.config,
        logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
      }),
    );
    return true;
  })
  .extend('isGenuine', { scope: 'file' }, () => loadWebhookExample())
  .extend(
    'call',
    ({ api, admin }) =>
      async (method: string, path: string, json?: unknown) =>
        (await api.call(method, path, { token: admin.token, ...(json !== undefined && { json }) })).body,
  )
  .extend(
    'register',
    ({ organization, receiver, call }) =>
      (path: string) =>
        call('POST', `/v1/orgs/${organization._id}/webhooks`, { url: receiver.origin + path }),
  )
  .extend(
    'received',
    ({ receiver }) =>
      (path: string, count: number) =>
        until(`${count} requests at ${path}`, () =>
          receiver.receivedAt(path).length >= count ? receiver.receivedAt(path) : undefined,
        ),
  )
  .extend(
    'ended',
    ({ call }) =>
      (delivery: { urls: { location: string } }) =>
        until('end of the delivery', async () => {
          const { state, ...rest } = await call('GET', delivery.urls.location);
          return state === 'pending' ? undefined : { state, ...rest };
        }),
  );

it('a ping arrives signed, and its delivery reports success', async ({
  isGenuine,
  call,
  register,
  received,
  ended,
}) => {
  const { urls, secret } = await register('/ping');
  const ping = await call('POST', `${urls.location}/ping`);
  const [request] = await received('/ping', 1);
  const done = await ended(ping);
  expect(done).toMatchObject({ state: 'succeeded', isTest: true, attempts: [{ status: 204 }] });
  expect(request).toMatchObject({
    method: 'POST',
    body: done.payload,
    headers: { 'webhook-id': ping.event },
  });
  expect(isGenuine({ headers: request?.headers ?? {}, body: request?.body ?? '', secret })).toBe(true);
  expect(isGenuine({ headers: request?.headers ?? {}, body: `${request?.body} `, secret })).toBe(false);
});

it('after a rotation both secrets sign for a day, and a redelivery keeps its id', async ({
  isGenuine,
  call,
  register,
  received,
  ended,
}) => {
  const { urls, secret: first } = await register('/rotated');
  const { secret: second } = await call('POST', `${urls.location}/secret`);
  const ping = await call('POST', `${urls.location}/ping`);
  await ended(ping);
  await call('POST', `${ping.urls.location}/redeliver`);
  const requests = await received('/rotated', 2);
  for (const { headers, body } of requests) {
    expect([
      isGenuine({ headers, body, secret: first }),
      isGenuine({ headers, body, secret: second }),
    ]).toEqual([true, true]);
    expect(headers['webhook-id']).toBe(ping.event);
  }
  expect((await ended(ping)).attempts).toHaveLength(2);
});

it('a failed ping is attempted once, and a 410 switches the webhook off', async ({
  receiver,
  call,
  register,
  ended,
}) => {
  receiver.answers.set('/failing', 500).set('/gone', 410);
  const failing = await register('/failing');
  expect(await ended(await call('POST', `${failing.urls.location}/ping`))).toMatchObject({
    state: 'failed',
    failedBecause: 'attempts_used_up',
    lastAttempt: { status: 500 },
  });
  const gone = await register('/gone');
  expect(await ended(await call('POST', `${gone.urls.location}/ping`))).toMatchObject({
    state: 'failed',
    failedBecause: 'webhook_gone',
  });
  const shown = await until('end of the webhook', async () => {
    const body = await call('GET', gone.urls.location);
    return body.enabled ? undefined : body;
  });
  expect(shown.disabledReason).toBe('gone');
});

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { bound } from '../../../test/support/machine.ts';
import { createDnsRecords } from './dnsRecords.ts';

/** A DNS server that never answers. */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
const base = it.extend('silent', async ({}, { onCleanup }) => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onCleanup(() => void socket.close());
  return { socket, server: `127.0.0.1:${socket.address().port}` };
});

base('a lookup without an answer ends when its signal aborts', async ({ silent: { socket, server } }) => {
  const stopping = new AbortController();
  const asking = createDnsRecords([server]).texts('_bindery.example.org', stopping.signal);
  await once(socket, 'message');
  stopping.abort(new Error('the worker stops'));
  const startedMs = performance.now();
  await expect(asking).rejects.toThrow('the worker stops');
  // Without the abort the lookup gives up after 4 s.
  expect(performance.now() - startedMs).toBeLessThan(bound(1_000));
  await expect(createDnsRecords([server]).texts('example.org', stopping.signal)).rejects.toThrow(
    'the worker stops',
  );
});

base('a lookup without an answer returns undefined', { timeout: 20_000 }, async ({ silent: { server } }) => {
  expect(
    await createDnsRecords([server]).texts('_bindery.example.org', new AbortController().signal),
  ).toBeUndefined();
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it as base } from 'vitest';
import { readRequestBody } from './readRequestBody.ts';

/** Sends what a client writes, and returns what the server has read by then. */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
const it = base.extend('read', async ({}, { onCleanup }) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (
    { headers, text, leaves = false }: { headers: string; text: string; leaves?: boolean },
    limits: { maxBytes: number; ignoredBytes?: number },
  ) => {
    const read = once(server, 'request').then(async ([request]) => readRequestBody(request, limits));
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: test\r\n${headers}\r\n\r\n${text}`);
    if (leaves) socket.end();
    const body = await read;
    socket.destroy();
    return String(body);
  };
});

it.for<[string, { headers: string; text: string; leaves?: boolean }, string]>([
  ['within the limit is read', { headers: 'Content-Length: 5', text: 'hello' }, 'hello'],
  [
    'in pieces is read',
    { headers: 'Transfer-Encoding: chunked', text: '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n' },
    'hello',
  ],
  [
    'that says that it is too long is refused before it arrives',
    { headers: 'Content-Length: 6', text: '' },
    'tooLarge',
  ],
  [
    'that is too long is refused',
    { headers: 'Transfer-Encoding: chunked', text: '6\r\nhello!\r\n' },
    'tooLarge',
  ],
  [
    'that ends early is not taken',
    { headers: 'Content-Length: 5', text: 'hell', leaves: true },
    'incomplete',
  ],
])('a body %s', async ([, sent, body], { read }) => {
  expect(await read(sent, { maxBytes: 5 })).toBe(body);
});

it('a body that is too long is read to its end if a browser has to see the response', async ({ read }) => {
  const headers = 'Transfer-Encoding: chunked';
  const whole = { headers, text: '6\r\nhello!\r\n0\r\n\r\n' };
  expect(await read(whole, { maxBytes: 5, ignoredBytes: 1 })).toBe('tooLarge');
  const more = { headers, text: '7\r\nhello!!\r\n' };
  expect(await read(more, { maxBytes: 5, ignoredBytes: 1 })).toBe('tooLarge');
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from '../../../apps/api/src/http/answer/answer.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { numberRoutes, sampleRoutes } from '../../support/http/httpSample.ts';
import { bound } from '../../support/machine.ts';

const start = () => startHttpApp(sampleRoutes());
const asJson = { 'content-type': 'application/json' };

/** Sends the first bytes of a large body. */
function beginLargeBody(port: number, headers: string[] = []) {
  const head = [
    'PUT /v1/spaces/s1/tree HTTP/1.1',
    'Host: a',
    'Authorization: Bearer ann',
    'Connection: close',
    'Content-Type: application/json',
    'Content-Length: 9000000',
    ...headers,
  ];
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${head.join('\r\n')}\r\n\r\n{"tree":`);
  return socket;
}

describe('bodies', () => {
  it('reports all problems of a request together', async () => {
    const { call } = await start();
    const { status, body } = await call('POST', '/v1/spaces/s1/notes', {
      json: { title: '', url: 5, target: { file: '' } },
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 400,
      type: 'invalid_request',
      message: 'The request is not valid: body.title must have 1 to 50 characters (and 2 more, see details)',
    });
    expect(body.error.details).toEqual([
      { path: 'body.title', message: 'must have 1 to 50 characters' },
      { path: 'body.url', message: 'must be text' },
      { path: 'body.target.file', message: 'must have 1 to 256 characters' },
    ]);
  });

  it('treats a missing body as a body without fields', async () => {
    const { call } = await start();
    expect((await call('POST', '/v1/spaces/s1/notes', { headers: asJson })).body.error.details).toEqual([
      { path: 'body.title', message: 'is required' },
    ]);
    expect((await call('POST', '/v1/spaces/s1/import', { headers: asJson })).status).toBe(204);
  });

  it('refuses a body that is not a JSON object in UTF-8', async () => {
    const { call } = await start();
    const bodies = [
      '{"title":',
      '[]',
      '"a"',
      'null',
      '5',
      'title=a',
      '{"title":"a"} x',
      new Uint8Array([...Buffer.from('{"title":"'), 0xff, ...Buffer.from('"}')]),
    ];
    for (const body of bodies) {
      const answer = await call('POST', '/v1/spaces/s1/notes', { body, headers: asJson });
      expect([answer.status, answer.body.error.type]).toEqual([400, 'invalid_request']);
    }
    // Also where no schema looks at it.
    expect((await call('POST', '/v1/spaces/s1/import', { body: '{', headers: asJson })).status).toBe(400);
  });

  it('takes application/json with or without charset=utf-8 and answers 415 to everything else', async () => {
    const { call } = await start();
    const statusOf = async (type: string, headers = {}) =>
      (
        await call('POST', '/v1/spaces/s1/notes', {
          body: '{"title":"a"}',
          headers: { 'content-type': type, ...headers },
        })
      ).status;
    expect(await statusOf('application/json; charset=UTF-8')).toBe(201);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/jsonx',
    ])
      expect(await statusOf(type)).toBe(415);
    expect(await statusOf('application/json', { 'content-encoding': 'zstd' })).toBe(415);
  });

  it('ignores keys named __proto__ and constructor', async () => {
    const { call } = await start();
    const answer = await call('POST', '/v1/spaces/s1/notes', {
      body: '{"title":"a","id":"mine","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
      headers: asJson,
    });
    expect([answer.status, answer.body]).toEqual([201, { id: 'new', title: 'a', thread: 'space s1' }]);
    expect('admin' in {}).toBe(false);
  });

  it('refuses NUL and half surrogates, also inside free-form JSON', async () => {
    const { call } = await start();
    for (const title of ['a\0', 'a\ud800'])
      expect((await call('POST', '/v1/spaces/s1/notes', { json: { title } })).status).toBe(400);
    for (const tree of [{ a: ['\0'] }, { '\udc00': 1 }])
      expect((await call('PUT', '/v1/spaces/s1/tree', { json: { tree } })).status).toBe(400);
    expect(
      (await call('PUT', '/v1/spaces/s1/tree', { json: { tree: { a: ['😀', null, { b: 1 }] } } })).status,
    ).toBe(204);
  });

  it('answers 400 at once for JSON that is nested too deep or has too many values', async () => {
    const { call } = await start();
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const startedMs = performance.now();
    for (const body of [
      deep,
      `{"title":${deep}}`,
      `{"title":"a","x":[${'1,'.repeat(20_000)}1]}`,
      '{"a":'.repeat(33) + '1' + '}'.repeat(33),
    ]) {
      const answer = await call('POST', '/v1/spaces/s1/notes', { body, headers: asJson });
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'body']);
    }
    expect(performance.now() - startedMs).toBeLessThan(bound(1_000));
    // 32 deep is allowed, and brackets inside text do not count.
    const ok = `{"title":"${'['.repeat(50)}","x":${'['.repeat(31)}${']'.repeat(31)}}`;
    expect((await call('POST', '/v1/spaces/s1/notes', { body: ok, headers: asJson })).status).toBe(201);
  });

  it('answers 413 beyond the limit of the route, whether announced, streamed or inflated', async () => {
    const { call } = await start();
    const body = JSON.stringify({ title: 'x'.repeat(1024 * 1024) });
    const stream = () => new Response(body).body ?? undefined;
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
    const answers = [
      await call('POST', '/v1/spaces/s1/notes', { body, headers: asJson }),
      await call('POST', '/v1/spaces/s1/notes', { body: stream(), headers: asJson }),
      await call('POST', '/v1/spaces/s1/notes', {
        body: new Uint8Array(bomb),
        headers: { ...asJson, 'content-encoding': 'gzip' },
      }),
      await call('PUT', '/v1/spaces/s1/tree', {
        body: JSON.stringify({ tree: { text: 'x'.repeat(10 * 1024 * 1024) } }),
        headers: asJson,
      }),
    ];
    expect(answers.map(({ status, body: { error } }) => [status, error.type])).toEqual(
      Array.from({ length: 4 }, () => [413, 'payload_too_large']),
    );
    expect(
      (await call('PUT', '/v1/spaces/s1/tree', { json: { tree: { text: 'x'.repeat(9_000_000) } } })).status,
    ).toBe(204);
  });

  it('answers 408 to large bodies that arrive slowly, as soon as another request waits', async () => {
    const { call, port } = await start();
    const answers = Array.from({ length: 4 }, () => text(beginLargeBody(port)));
    const large = { tree: { text: 'x'.repeat(9_000_000) } };
    // Well below the time limit of a request: the four before it would otherwise hold it up until then.
    const waited = call('PUT', '/v1/spaces/s1/tree', { json: large });
    expect((await waited).status).toBe(204);
    // One that lost its turn hears so at once, though its body has not ended.
    expect(await Promise.race(answers)).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/);
  });

  it('gives no slot to large bodies whose clients disconnected while they waited', async () => {
    const { call, port } = await start();
    const sockets = Array.from({ length: 64 }, () => beginLargeBody(port, ['Expect: 100-continue']));
    await Promise.all(sockets.map(async (socket) => once(socket, 'data')));
    const [reading, waiting] = [sockets.slice(0, 4), sockets.slice(4)];
    for (const group of [waiting, reading]) {
      for (const socket of group) socket.destroy();
      // Answered after the server has noticed.
      await call('GET', '/v1/listNumbers');
    }
    const begun = performance.now();
    const large = { tree: { text: 'x'.repeat(9_000_000) } };
    expect((await call('PUT', '/v1/spaces/s1/tree', { json: large })).status).toBe(204);
    // On any machine, those who had left would hold the four turns for 2 seconds each: 30 in all.
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('inflates gzip, and refuses a body that is not valid gzip', async () => {
    const { call } = await start();
    const headers = { ...asJson, 'content-encoding': 'gzip' };
    expect(
      (
        await call('POST', '/v1/spaces/s1/notes', {
          body: new Uint8Array(gzipSync('{"title":"a"}')),
          headers,
        })
      ).status,
    ).toBe(201);
    expect((await call('POST', '/v1/spaces/s1/notes', { body: '{"title":"a"}', headers })).status).toBe(400);
    expect(
      (
        await call('POST', '/v1/spaces/s1/notes', {
          body: new Uint8Array(gzipSync('{"title":"a"}').subarray(0, -8)),
          headers,
        })
      ).status,
    ).toBe(400);
  });
});

describe('queries and pages', () => {
  it('walks a list page by page, with the count of all and no `next` on the last page', async () => {
    const { call } = await startHttpApp(numberRoutes(5));
    const seen: number[] = [];
    let path = '/v1/listNumbers?limit=2';
    for (;;) {
      const { body } = await call('GET', path);
      expect([body.count, body.stats]).toEqual([5, { all: 5 }]);
      seen.push(...body.items.map((item: { number: number }) => item.number));
      if (!body.next) break;
      path = `/v1/listNumbers?limit=2&page=${body.next.page}`;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('takes limits of 0 to 1000, with a default of 50', async () => {
    const { call } = await startHttpApp(numberRoutes(60));
    expect((await call('GET', '/v1/listNumbers?unknown=1')).body.items).toHaveLength(50);
    expect((await call('GET', '/v1/listNumbers?limit=1000')).body.items).toHaveLength(60);
    expect((await call('GET', '/v1/listNumbers?limit=0')).body).toEqual({
      items: [],
      count: 60,
      stats: { all: 60 },
    });
    for (const limit of ['1001', '-1', 'abc', '1.5', '', '1e2', '0x10', '+5', ' 5', '05', '5&limit=6']) {
      const { status, body } = await call('GET', `/v1/listNumbers?limit=${limit}`);
      expect([limit, status, body.error?.details[0].path]).toEqual([limit, 400, 'query.limit']);
    }
  });

  it('refuses a page token that is damaged, or of another list, filter or user', async () => {
    const { call } = await startHttpApp(numberRoutes(5));
    const { page } = (await call('GET', '/v1/listNumbers?limit=2&kind=a')).body.next;
    expect((await call('GET', `/v1/listNumbers?kind=a&limit=3&page=${page}`)).body.items).toHaveLength(3);
    const refused = [
      await call('GET', `/v1/listNumbers?kind=b&page=${page}`),
      await call('GET', `/v1/listNumbers?page=${page}`),
      await call('GET', `/v1/listOthers?kind=a&page=${page}`),
      await call('GET', `/v1/listNumbers?kind=a&page=${page}`, { token: 'bob' }),
      await call('GET', '/v1/listNumbers?kind=a&page=garbage'),
      await call('GET', '/v1/listNumbers?kind=a&page='),
      await call('GET', `/v1/listNumbers?kind=a&page=${page}&page=${page}`),
    ];
    for (const { status, body } of refused)
      expect([status, body.error.details[0].path]).toEqual([400, 'query.page']);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < page.length; i += 1) {
      // The lowest bit of a character, which at the end may not belong to any byte.
      const flipped = page.slice(0, i) + alphabet[alphabet.indexOf(page[i]) ^ 1] + page.slice(i + 1);
      expect((await call('GET', `/v1/listNumbers?kind=a&page=${flipped}`)).status).toBe(400);
    }
  });
});

describe('idempotency keys', () => {
  it('passes calls with a key to the application, with a fingerprint of the request', async () => {
    const answers = new Map<string, Answer>();
    const seen: string[] = [];
    const { call } = await startHttpApp(sampleRoutes(), {
      services: {
        idempotency: async ({ key, operationId, actor, fingerprint }, run) => {
          seen.push(fingerprint);
          const name = `${key} ${operationId} ${actor?.user.id}`;
          const answer = answers.get(name) ?? (await run());
          answers.set(name, answer);
          return answer;
        },
      },
    });
    const create = (title: string, key: string) =>
      call('POST', '/v1/spaces/s1/notes', { json: { title }, headers: { 'idempotency-key': key } });
    const titles = [
      await create('a', 'k1'),
      await create('a', 'k1'),
      await create('b', 'k1'),
      await create('b', 'k2'),
    ].map(({ body }) => body.title);
    expect(titles).toEqual(['a', 'a', 'a', 'b']);
    expect(seen.map((print) => seen.indexOf(print))).toEqual([0, 0, 2, 2]);
    expect((await create('a', 'x'.repeat(256))).status).toBe(400);
  });
});

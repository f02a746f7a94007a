import { ApiError, ErrorBody, JobError } from '@bindery/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../../apps/api/src/http/scope.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { failingRoute, sampleRoutes } from '../../support/http/httpSample.ts';

const startFailing = (error: () => Error) => startHttpApp([failingRoute(error)]);

it('answers an unexpected error with 500 and the id under which the log has its details', async () => {
  const { call, lines } = await startFailing(
    () => new Error('secret of the house', { cause: new Error('deeper') }),
  );
  const { status, body, text, headers } = await call('GET', '/v1/failing', {
    headers: { 'x-request-id': 'my-id.1' },
  });
  expect([status, body.error.type, body.error.requestId, headers.get('x-request-id')]).toEqual([
    500,
    'internal',
    'my-id.1',
    'my-id.1',
  ]);
  expect(text).not.toMatch(/secret|at |\.ts/);
  const line = lines.find(({ level }) => level === 50);
  expect(line).toMatchObject({
    requestId: 'my-id.1',
    err: {
      message: expect.stringContaining('secret of the house'),
      stack: expect.stringContaining('deeper'),
    },
  });
});

it('answers each expected error with its own message, and logs none of them as an error', async () => {
  const cases: [Error, number, string][] = [
    [new ApiError('conflict', 'It is there already.', { action: 'Take another slug.' }), 409, 'conflict'],
    [new ApiError('precondition_failed', 'It is locked.'), 412, 'precondition_failed'],
    [new JobError('bad_url', 'Only http and https.'), 400, 'invalid_request'],
    [new JobError('refused_address', 'This address is refused.'), 400, 'invalid_request'],
    [new URIError('URI malformed'), 404, 'not_found'],
  ];
  for (const [error, status, type] of cases) {
    const { call, lines } = await startFailing(() => error);
    const answer = await call('GET', '/v1/failing');
    expect([answer.status, answer.body.error.type]).toEqual([status, type]);
    expect(ErrorBody.parse(answer.body)).toEqual(answer.body);
    if (error instanceof ApiError || error instanceof JobError)
      expect(answer.body.error.message).toBe(error.message);
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
    expect(answer.headers.has('link')).toBe(false);
  }
});

it('answers 503 with Retry-After when a store is unreachable, however deep the cause is nested', async () => {
  const named = (name: string, more: object = {}) =>
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:27017'), { name }, more);
  const outages = [
    named('MongoServerSelectionError'),
    named('MongoNetworkError'),
    named('MongoServerError', { code: 10107 }),
    named('MongoServerError', { code: 50 }),
    named('MongoServerError', { errorLabels: ['RetryableWriteError'] }),
    new Error('saving failed', { cause: named('MongooseServerSelectionError') }),
    named('Error', { code: 'ENOENT', syscall: 'connect' }),
  ];
  for (const error of outages) {
    const { call } = await startFailing(() => error);
    const { status, headers, text } = await call('GET', '/v1/failing');
    expect([error.name, status, headers.get('retry-after')]).toEqual([error.name, 503, '5']);
    expect(text).not.toContain('10.0.0.5');
  }
  const { call } = await startFailing(() => named('MongoServerError', { code: 11000 }));
  expect((await call('GET', '/v1/failing')).status).toBe(500);
});

it('answers 503 with Retry-After to a failed check that asks for a later retry', async () => {
  const { call } = await startFailing(
    () => new JobError('throttled', 'The other side asks to wait.', { retryAfterMs: 1_500 }),
  );
  const { status, headers, body } = await call('GET', '/v1/failing');
  expect([status, headers.get('retry-after'), body.error.message]).toEqual([
    503,
    '2',
    'The other side asks to wait.',
  ]);
});

it('cuts the connection when a response fails after it began', async () => {
  const spec = { operationId: 'half', summary: 'x', permission: 'token', answers: [] } as const;
  const half = root.raw('get', '/half', spec, async (_input, _request, response) => {
    response.write('first half');
    throw new Error('no second half');
  });
  const { call, lines } = await startHttpApp([half]);
  await expect(call('GET', '/v1/half')).rejects.toThrow(/terminated|fetch failed/);
  await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['a request failed unexpectedly', 'request']);
});

it('answers 500 in tests when a handler returns a field that its schema lacks', async () => {
  const leaking = async () => ({ id: 'a', secret: 'b' });
  const { call } = await startHttpApp([
    root.get(
      '/leak',
      { operationId: 'leak', summary: 'x', permission: 'token', response: z.object({ id: z.string() }) },
      leaking,
    ),
  ]);
  expect((await call('GET', '/v1/leak')).status).toBe(500);
});

it('logs one line for a request, with the route template and the ids but never the query', async () => {
  const { call, lines } = await startHttpApp(sampleRoutes());
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await call('GET', '/v1/spaces/s1/notes/n1?shareKey=hush', { headers: { traceparent } });
  await call('GET', '/v1/hush?hush', { headers: { 'x-request-id': 'not sane\t' } });
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    msg: 'request',
    method: 'GET',
    route: '/spaces/:spaceId/notes/:noteId',
    ids: { spaceId: 's1', noteId: 'n1' },
    status: 200,
    user: 'user-ann',
    token: 'token-ann',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    durationMs: expect.any(Number),
  });
  expect(lines[1]).toMatchObject({ status: 404, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(JSON.stringify(lines)).not.toContain('hush');
});

it('sends security headers, no CORS and no product name', async () => {
  const { call } = await startHttpApp(sampleRoutes());
  const { headers } = await call('GET', '/v1/user', { headers: { origin: 'https://evil.example' } });
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(
    [...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'x-powered-by'),
  ).toEqual([]);
});

import { jobCollection, OpenAPISpec, type OpenAPISpecRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { refreshDueSpecs } from '../../../apps/worker-maintenance/src/refreshSpecs.ts';
import { it as base, petstore } from '../../support/openapi/specs.ts';

const json = 'application/json';
const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
const minuteMs = 60_000;

const it = base.extend(
  'refreshDue',
  { scope: 'file' },
  ({ api }) =>
    async (slug: string): Promise<OpenAPISpecRecord> => {
      await OpenAPISpec.updateOne({ slug }, { $set: { nextRefreshAt: new Date(0) } });
      await refreshDueSpecs({ config: api.config, logger, signal: AbortSignal.timeout(60_000) });
      return (await OpenAPISpec.findOne({ slug }).lean<OpenAPISpecRecord>())!;
    },
);

/** Minutes until the next refresh. */
const minutesOf = ({ nextRefreshAt }: OpenAPISpecRecord) =>
  ((nextRefreshAt?.getTime() ?? Number.NaN) - Date.now()) / minuteMs;

describe('the URL of a specification', () => {
  it('is fetched again with a conditional request when it is due', async ({
    server,
    put,
    processed,
    refreshDue,
  }) => {
    const conditions: (string | undefined)[] = [];
    let text = petstore();
    let etag = '"one"';
    server.put('/due.json', {
      serve: ({ headers }, response) => {
        conditions.push(headers['if-none-match']);
        if (headers['if-none-match'] === etag) response.writeHead(304).end();
        else response.writeHead(200, { 'content-type': json, etag }).end(text);
      },
    });
    const first = await put('due', { url: `${server.origin}/due.json` });
    expect(Date.parse(first.refresh.nextAt)).toBeGreaterThan(Date.now() + 300 * minuteMs);
    const record = await refreshDue('due');
    expect(minutesOf(record)).toBeGreaterThan(300);
    expect(minutesOf(record)).toBeLessThan(400);
    expect((await processed('due')).lastVersion).toBe(first.lastVersion);
    [text, etag] = [petstore({ '/cats': {} }), '"two"'];
    await refreshDue('due');
    const third = await processed('due');
    expect(third.lastVersion).not.toBe(first.lastVersion);
    expect(conditions).toEqual([undefined, '"one"', '"one"']);
    expect(await jobCollection().countDocuments({ 'subject.id': record._id })).toBe(3);
  });

  it('is fetched less often while that fails, and the specification shows since when', async ({
    server,
    put,
    processed,
    refreshDue,
    call,
  }) => {
    server.put('/failing.json', { type: json, body: petstore() });
    await put('failing', { url: `${server.origin}/failing.json` });
    server.put('/failing.json', { status: 404 });
    await refreshDue('failing');
    const { refresh, lastProcessedAt, lastProcessErrorCode } = await processed('failing');
    expect([lastProcessErrorCode, refresh.failingSince]).toEqual(['FETCH_ERROR', lastProcessedAt]);
    for (const factor of [2, 4]) {
      const minutes = minutesOf(await refreshDue('failing'));
      expect(minutes).toBeGreaterThan(360 * factor * 0.85);
      expect(minutes).toBeLessThan(360 * factor * 1.15);
      expect((await processed('failing')).refresh.failingSince).toBe(lastProcessedAt);
    }
    server.put('/failing.json', { type: json, body: petstore() });
    expect((await call('POST', 'failing/refresh')).status).toBe(200);
    expect((await processed('failing')).refresh).not.toHaveProperty('failingSince');
    expect(minutesOf(await refreshDue('failing'))).toBeLessThan(400);
  });

  it('is fetched at the interval of its specification, or never', async ({
    server,
    put,
    call,
    refreshDue,
  }) => {
    server.put('/own.json', { type: json, body: petstore() });
    await put('own', { url: `${server.origin}/own.json` });
    expect((await call('PATCH', 'own', { refreshMinutes: 15 })).body.refresh.minutes).toBe(15);
    expect(minutesOf(await refreshDue('own'))).toBeLessThan(20);
    const { body } = await call('PATCH', 'own', { refreshMinutes: 0 });
    expect(body.refresh).toEqual({ minutes: 0 });
    expect((await call('PATCH', 'own', { refreshMinutes: null })).body.refresh.nextAt).toEqual(
      expect.any(String),
    );
    for (const refreshMinutes of [1, -1, 'often'])
      expect((await call('PATCH', 'own', { refreshMinutes })).status).toBe(400);
    expect((await call('PATCH', 'own', {})).status).toBe(400);
  });

  it('is not scheduled when the source is a text', async ({ put, server }) => {
    await put('no-url', { url: `${server.origin}/own.json` });
    expect(await put('no-url', { text: petstore() })).not.toHaveProperty('refresh');
    expect(await OpenAPISpec.countDocuments({ slug: 'no-url', nextRefreshAt: { $exists: true } })).toBe(0);
  });

  it('is fetched once for several requests', async ({ server, put, call, processed }) => {
    const held: (() => void)[] = [];
    let isHeld = false;
    server.put('/once.json', {
      serve: (_request, response) => {
        const answer = () => response.writeHead(200, { 'content-type': json }).end(petstore());
        if (isHeld) held.push(answer);
        else answer();
      },
    });
    await put('once', { url: `${server.origin}/once.json` });
    isHeld = true;
    const first = await call('POST', 'once/refresh');
    const second = await call('POST', 'once/refresh');
    expect(second.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
    isHeld = false;
    const release = setInterval(() => held.splice(0).forEach((answer) => answer()), 20);
    await processed('once');
    clearInterval(release);
  });
});

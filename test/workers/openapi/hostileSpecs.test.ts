import { gzipSync } from 'node:zlib';
import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { bound } from '../../support/machine.ts';
import { itWithWorkerProcess, petstore } from '../../support/openapi/specs.ts';
import { peakBytesOf } from '../../support/processes/procfs.ts';

const MiB = 1024 * 1024;
const json = 'application/json';

// One job at once, with a memory that the bombs exceed soon and usual documents never.
const it = itWithWorkerProcess
  .extend('environment', { scope: 'file' }, ({ server }): Record<string, string> => ({
    BINDERY_OUTBOUND_ALLOW: server.hostPort,
    BINDERY_WORKER_CONCURRENCY: '1',
    BINDERY_OPENAPI_MEMORY_MB: '256',
  }))
  .extend('findings', { scope: 'file' }, ({ call }) => async (slug: string) => {
    const { body } = await call('GET', `${slug}/versions/latest/findings`);
    return body as { count: number; items: { rule: string; message: string }[] };
  });

/** Each level stands for ten of the one below. */
function aliasBomb(): string {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const part =
      level === 0
        ? 'x'
        : Array(10)
            .fill(`*a${level - 1}`)
            .join(', ');
    return `x-${level}: &a${level} [${part}]\n`;
  });
  return `openapi: 3.0.3\ninfo: {title: A, version: "1"}\npaths: {}\n${levels.join('')}`;
}

/** Schemas that each consist twice of the next. */
function doublingSchemas(levels: number): string {
  const schemas = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => {
      const $ref = `#/components/schemas/S${level + 1}`;
      return [`S${level}`, level === levels - 1 ? {} : { allOf: [{ $ref }, { $ref }] }];
    }),
  );
  return petstore({}, { components: { schemas } });
}

/** Each operation of Swagger 2.0 takes and answers all of its media types, which later versions repeat. */
function manyMediaTypes(): string {
  const types = Array.from({ length: 3_000 }, (_, index) => `a/b${index}`);
  const operation = {
    parameters: [{ in: 'body', name: 'a', schema: {} }],
    responses: { 200: { description: 'A', schema: { type: 'object' } } },
  };
  return JSON.stringify({
    swagger: '2.0',
    info: { title: 'A', version: '1' },
    consumes: types,
    produces: types,
    paths: Object.fromEntries(types.map((type) => [`/${type}`, { post: operation }])),
  });
}

const manyValues = `openapi: 3.0.3\npaths: {}\nx-a: [${'{}, '.repeat(4 * MiB)}]\n`;
const deep = `{"openapi":"3.0.3","paths":{},"x-a":${'['.repeat(MiB)}${']'.repeat(MiB)}}`;

/** Hostile documents, with the errors that their specifications list. */
const bombs: Record<string, { text: () => string; rule: unknown; message: RegExp }> = {
  'a bomb of aliases': { text: aliasBomb, rule: 'too-large', message: /alias/ },
  'lists in lists': { text: () => deep, rule: 'too-deep', message: /nested/ },
  'more values than the memory holds': {
    text: () => manyValues,
    rule: 'reading-memory',
    message: /memory limit of 256 MB/,
  },
  // On a busy machine, its time may be over before its memory.
  'a small document that grows as it is read': {
    text: manyMediaTypes,
    rule: expect.stringMatching(/^reading-(?:memory|limit)$/),
    message: /the (?:memory )?limit of/,
  },
};

describe('a hostile document', { timeout: 180_000 }, () => {
  it.for(Object.entries(bombs).map(([name, bomb], index) => [name, `bomb-${index}`, bomb] as const))(
    'runs into its limit, which the specification reports, and the next job starts at once: %s',
    async ([, slug, { text, rule, message }], { call, put, processed, worker }) => {
      // The first job of a worker loads code that the others have.
      await put(`before-${slug}`, { text: petstore() });
      const calmBytes = peakBytesOf(worker.pid);
      const bomb = await call('PUT', slug, { source: { text: text() } });
      const next = await call('PUT', `next-${slug}`, { source: { text: petstore() } });
      expect([bomb.status, next.status]).toEqual([200, 200]);
      expect((await processed(`next-${slug}`)).lastVersion).toEqual(expect.any(String));
      const spec = await processed(slug);
      expect(spec).toMatchObject({
        lastProcessErrorCode: 'PARSE_ERROR',
        lastProcessedErrorCount: 1,
        lastProcessedErrors: [{ code: rule, message: expect.stringMatching(message) }],
      });
      expect(spec).not.toHaveProperty('lastVersion');
      const [exploded, followed] = await Promise.all(
        [bomb, next].map(({ headers }) => jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' })),
      );
      expect([exploded, followed]).toMatchObject([
        { state: 'succeeded', crashes: 0, attempts: [{ outcome: 'succeeded' }] },
        { state: 'succeeded', crashes: 0, attempts: [{ outcome: 'succeeded' }] },
      ]);
      const pauseMs = Number(followed?.startedAt) - Number(exploded?.finishedAt);
      expect(pauseMs).toBeLessThan(bound(1_000));
      expect(peakBytesOf(worker.pid) - calmBytes).toBeLessThan(64 * MiB);
    },
  );

  it('is read normally when it doubles with each level', async ({ put, content, findings }) => {
    const text = doublingSchemas(24);
    expect((await put('doubling', { text })).lastVersion).toEqual(expect.any(String));
    expect(JSON.stringify(await content('doubling')).length).toBeLessThan(2 * text.length);
    expect((await findings('doubling')).items).toEqual([]);
  });

  it('is not unpacked when a small compressed response contains 64 MB', async ({ server, put, worker }) => {
    const body = gzipSync(`${petstore()}${' '.repeat(64 * MiB)}`);
    expect(body.length).toBeLessThan(MiB);
    server.put('/small.json', { type: json, headers: { 'content-encoding': 'gzip' }, body });
    await put('compressed', { text: petstore() });
    const calmBytes = peakBytesOf(worker.pid);
    expect(await put('compressed', { url: `${server.origin}/small.json` })).toMatchObject({
      lastProcessErrorCode: 'FETCH_ERROR',
      lastProcessedErrors: [{ code: 'too_large', message: expect.stringMatching('32768 KiB') }],
    });
    expect(peakBytesOf(worker.pid) - calmBytes).toBeLessThan(64 * MiB);
    expect((await put('compressed', { text: petstore() })).lastVersion).toEqual(expect.any(String));
  });
});

describe('a specification with thousands of references', { timeout: 180_000 }, () => {
  it('sends no request to 3,000 other hosts, and lists them', async ({ server, put, findings, worker }) => {
    const refs = (of: (index: number) => string) =>
      Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`/p${index}`, { $ref: of(index) }]));
    server.put('/hosts.json', {
      type: json,
      body: petstore(refs((index) => `https://h${index}.example.org/a.json`)),
    });
    const spec = await put('hosts', { url: `${server.origin}/hosts.json` });
    expect(spec).not.toHaveProperty('lastProcessErrorCode');
    const { count, items } = await findings('hosts');
    expect([count, new Set(items.map(({ rule }) => rule))]).toEqual([3_000, new Set(['file-refused'])]);
    const calmBytes = peakBytesOf(worker.pid);
    server.put('/redirects.json', { type: json, body: petstore(refs((index) => `/to-${index}.json`)) });
    const redirected = await put('redirects', { url: `${server.origin}/redirects.json` });
    expect(redirected.lastVersion).toEqual(expect.any(String));
    expect(peakBytesOf(worker.pid) - calmBytes).toBeLessThan(64 * MiB);
  });

  it('fetches at most 3,000 files, few at a time', async ({ server, put, findings, worker }) => {
    server.clear();
    const files = Array.from({ length: 3_500 }, (_, index) => `/file-${index}.json`);
    for (const file of files) server.put(file, { type: json, body: '{"get":{"responses":{}}}' });
    const paths = Object.fromEntries(files.map(($ref) => [$ref, { $ref }]));
    server.put('/files.json', { type: json, body: petstore(paths) });
    const calmBytes = peakBytesOf(worker.pid);
    const spec = await put('files', { url: `${server.origin}/files.json` });
    expect(spec.lastVersion).toEqual(expect.any(String));
    const { items } = await findings('files');
    const refused = items.filter(({ rule }) => rule === 'file-refused');
    expect(refused[0]?.message).toBe('A specification has at most 3000 files.');
    expect([server.requests.length, server.mostAtOnce() <= 8]).toEqual([3_000, true]);
    expect(peakBytesOf(worker.pid) - calmBytes).toBeLessThan(64 * MiB);
    expect((await put('files', { text: petstore() })).lastVersion).not.toBe(spec.lastVersion);
  });

  it('fetches no more files when their total size exceeds the limit', async ({ server, put, findings }) => {
    server.clear();
    const files = Array.from({ length: 100 }, (_, index) => `/large-${index}.json`);
    const paths = Object.fromEntries(files.map(($ref) => [$ref, { $ref }]));
    const body = Buffer.from(`{}${' '.repeat(20 * MiB)}`);
    for (const file of files) server.put(file, { type: json, body });
    server.put('/large.json', { type: json, body: petstore(paths) });
    await put('large', { url: `${server.origin}/large.json` });
    const { items } = await findings('large');
    expect(items.map(({ message }) => message)).toContain(
      'The files of the specification are together larger than 64 MiB.',
    );
    // Those that were under way when the limit was met, at most.
    expect(server.requests.length).toBeLessThanOrEqual(1 + 3 + 8);
  });
});

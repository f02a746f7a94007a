import { describe, expect } from 'vitest';
import { zipOf } from '../../support/content/zipWriter.ts';
import { it as base, petstore } from '../../support/openapi/specs.ts';

const MiB = 1024 * 1024;
const json = 'application/json';
const head = 'openapi: 3.0.3\ninfo: {title: Parts, version: "1"}\n';
const entry = `${head}paths:\n  /a: {$ref: "paths/a.yaml"}\n`;
const part = 'get: {summary: From a part, responses: {200: {description: Good.}}}\n';

const it = base.extend(
  'upload',
  { scope: 'file' },
  ({ api, organization, creator }) =>
    async (bytes: Buffer): Promise<string> => {
      const file = { name: 'spec.zip', type: 'application/zip', size: bytes.length };
      const { body } = await api.call('POST', `/v1/orgs/${organization._id}/storage/upload`, {
        token: creator.token,
        json: { kind: 'import_file', file },
      });
      const { status } = await api.call('PUT', body.url, { body: new Uint8Array(bytes) });
      expect(status).toBe(204);
      return body.key;
    },
);

/** The summary of `/a` in the document that readers get. */
const summaryOf = (files: { specification: { paths: Record<string, { get?: { summary?: string } }> } }[]) =>
  files[0]?.specification.paths['/a']?.get?.summary;

describe('a specification of several files', () => {
  it('from a URL is one document for readers', async ({ server, call, put, content }) => {
    server.put('/parts/openapi.yaml', { body: entry });
    server.put('/parts/paths/a.yaml', { body: part });
    const spec = await put('parts', { url: `${server.origin}/parts/openapi.yaml` });
    expect(spec).not.toHaveProperty('lastProcessErrorCode');
    expect(summaryOf(await content('parts'))).toBe('From a part');
    expect((await call('GET', 'parts/versions/latest/content/raw')).body).toMatchObject({ text: entry });
  });

  it('changes when only another file has changed', async ({ server, put, content }) => {
    const url = `${server.origin}/moving/openapi.yaml`;
    const headers = { etag: '"always"' };
    server.put('/moving/openapi.yaml', { body: entry, headers });
    server.put('/moving/paths/a.yaml', { body: part });
    const { lastVersion } = await put('moving', { url });
    server.put('/moving/paths/a.yaml', { body: part.replace('From a', 'From another') });
    expect((await put('moving', { url })).lastVersion).not.toBe(lastVersion);
    expect(summaryOf(await content('moving'))).toBe('From another part');
  });

  it('from an archive is found by its file name, or at the path of `entry`', async ({
    upload,
    put,
    content,
  }) => {
    const file = await upload(
      zipOf({ 'api/openapi.yaml': entry, 'api/paths/a.yaml': part, 'api/other.yaml': `${head}paths: {}\n` }),
    );
    await put('archive', { archive: { file } });
    expect(summaryOf(await content('archive'))).toBe('From a part');
    await put('archive', { archive: { file, entry: '/api/other.yaml' } });
    expect(summaryOf(await content('archive'))).toBeUndefined();
    expect(await put('archive', { archive: { file, entry: 'missing.yaml' } })).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ code: 'archive-entry' }],
    });
  });

  it('cannot come from an archive that was not uploaded', async ({ call }) => {
    const { status, body } = await call('PUT', 'nowhere', { source: { archive: { file: 'a.zip' } } });
    expect([status, body.error.details[0].path]).toEqual([400, 'body.source.archive.file']);
  });
});

describe('a server that sends a validator for its document', () => {
  it.for([
    ['etag', 'if-none-match', '"a1"'],
    ['last-modified', 'if-modified-since', 'Wed, 21 Oct 2015 07:28:00 GMT'],
  ] as const)(
    'gets conditional requests with its %s',
    async ([name, condition, value], { server, put, call }) => {
      const seen: (string | undefined)[] = [];
      server.put(`/${name}.json`, {
        serve: ({ headers }, response) => {
          const given = headers[condition] as string | undefined;
          seen.push(given);
          if (given === value) response.writeHead(304).end();
          else response.writeHead(200, { 'content-type': json, [name]: value }).end(petstore());
        },
      });
      const url = `${server.origin}/${name}.json`;
      const first = await put(name, { url });
      // A source that is given again is fetched without a condition; the same source again is not.
      const second = await put(name, { url });
      expect(second.lastVersion).toBe(first.lastVersion);
      expect(seen).toEqual([undefined, undefined]);
      expect((await call('GET', name)).body).toMatchObject({ lastProcessedErrorCount: 0 });
    },
  );
});

describe('hostile specifications', () => {
  it('list the faults of a usable specification with their pointers', async ({ put, call }) => {
    const text = petstore({ '/cats': { get: { responses: {}, parameters: [{ $ref: '#/nowhere' }] } } });
    await put('faults', { text });
    const { body } = await call('GET', 'faults/versions/latest/findings');
    expect(body.count).toBeGreaterThan(0);
    expect(body.items).toContainEqual(
      expect.objectContaining({ severity: 'error', pointer: expect.stringMatching(/^\/paths\/~1cats/) }),
    );
  });

  it('show the query string of a file URL only to members who can edit', async ({
    api,
    organization,
    creator,
    reader,
    server,
    put,
  }) => {
    server.put('/keyed.json', { body: petstore({ '/cats': { $ref: '#/nowhere' } }) });
    const url = `${server.origin}/keyed.json`;
    await put('keyed', { url: `${url}?key=canary` });
    const path = `/v1/orgs/${organization._id}/openapi/keyed/versions/latest/findings`;
    const edited = await api.call('GET', path, creator);
    const read = await api.call('GET', path, reader);
    expect([edited.body.items[0].file, read.body.items[0].file]).toEqual([`${url}?key=canary`, url]);
    expect(read.text).not.toContain('canary');
    expect(read.headers.get('etag')).not.toBe(edited.headers.get('etag'));
  });

  it(
    'are read up to 32 MB of text, and refused beyond',
    { timeout: 300_000 },
    async ({ call, processed }) => {
      const description = 'All of the "pets", in a line.\n'.repeat(1_000);
      const paths = Object.fromEntries(
        Array.from({ length: (31 * MiB) / (description.length * 1.1) }, (_, n) => [
          `/p${n}`,
          { get: { description, responses: { 200: { description: 'Good.' } } } },
        ]),
      );
      const text = petstore(paths);
      const body = { source: { text } };
      expect((await call('PUT', 'large', body)).status).toBe(200);
      const spec = await processed('large');
      expect(spec).not.toHaveProperty('lastProcessErrorCode');
      const { status } = await call('PUT', 'too-large', { source: { text: 'a'.repeat(33 * MiB) } });
      expect(status).toBe(400);
    },
  );
});

import { jobCollection, OpenAPISpec, type OpenAPISpecRecord } from '@bindery/models';
import { openSecret, type SealedSecret } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { it as base } from '../../support/it.ts';

const url = 'https://specs.example.org/petstore.json';

const it = base
  .extend(
    'call',
    ({ api, organization, creator }) =>
      (method: string, path: string, json?: unknown) =>
        api.call(method, `/v1/orgs/${organization._id}/openapi${path}`, {
          token: creator.token,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'create',
    ({ call }) =>
      (slug: string, source: unknown) =>
        call('POST', '', { slug, source }),
  )
  .extend(
    'stored',
    ({ organization }) =>
      async (slug: string) =>
        OpenAPISpec.findOne({ organization: organization._id, slug }).lean<OpenAPISpecRecord>(),
  );

describe('the source of a specification', () => {
  it('can be a text, which is not stored in any record', async ({ api, organization, create, stored }) => {
    const text = `{"openapi":"3.1.0","x":"${'ä'.repeat(200_000)}"}`;
    const { status, body, headers } = await create('from-text', { text });
    expect([status, body.sourceURL]).toEqual([200, undefined]);
    const { source } = (await stored('from-text')) ?? {};
    const blob = await api.blobs.open(`${organization._id}:${source?.blob}`);
    expect(Buffer.concat((await blob?.bytes.toArray()) ?? []).toString()).toBe(text);
    const job = await jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' });
    expect(JSON.stringify([source, job]).length).toBeLessThan(2_000);
  });

  it('can be a text of several megabytes, up to the limit of a request', async ({ create }) => {
    expect((await create('large', { text: 'a'.repeat(5 * 1024 * 1024) })).status).toBe(200);
    expect((await create('too-large', { text: 'a'.repeat(33 * 1024 * 1024) })).status).toBe(400);
    expect((await create('far-too-large', { text: 'a'.repeat(49 * 1024 * 1024) })).status).toBe(413);
  });

  it('shows the query of its URL, which may hold a key, only to callers who may change it', async ({
    api,
    organization,
    reader,
    call,
    create,
  }) => {
    const source = { url: 'https://specs.example.org/with-key.json?key=canary' };
    expect((await create('with-key', source)).body.sourceURL).toBe(source.url);
    const read = (path: string) =>
      api.call('GET', `/v1/orgs/${organization._id}/openapi${path}`, { token: reader.token });
    expect((await call('GET', '/with-key')).body.sourceURL).toBe(source.url);
    expect((await read('/with-key')).body.sourceURL).toBe('https://specs.example.org/with-key.json');
    expect(JSON.stringify((await read('')).body)).not.toContain('canary');
  });

  it('seals a login in its URL, and shows it nowhere', async ({ api, call, create, stored }) => {
    const secret = 'canary-5f2c9d';
    const source = { url: `https://me:${secret}%21@specs.example.org/a.json?version=1#part` };
    const { body } = await create('with-login', source);
    expect(body.sourceURL).toBe('https://specs.example.org/a.json?version=1');
    const record = await stored('with-login');
    // As the driver gives it, without mongoose.
    const login = (record!.source as { login?: unknown }).login as { keyId: string } & Record<
      'nonce' | 'ciphertext' | 'tag',
      { buffer: Uint8Array }
    >;
    const bytes = (name: 'nonce' | 'ciphertext' | 'tag') => Buffer.from(login[name].buffer);
    const sealed: SealedSecret = {
      keyId: login.keyId,
      nonce: bytes('nonce'),
      ciphertext: bytes('ciphertext'),
      tag: bytes('tag'),
    };
    expect(JSON.parse(openSecret(api.config.secrets, sealed, `openapi-source:${record?._id}`))).toEqual({
      username: 'me',
      password: `${secret}!`,
    });
    const jobs = await jobCollection().find({}).toArray();
    for (const place of [body, record, jobs, api.logLines, (await call('GET', '')).body])
      expect(JSON.stringify(place)).not.toContain(secret);
    for (const refused of [
      { url: `https://me:${secret}@127.0.0.1/` },
      { url: `ftp://me:${secret}@specs.example.org/` },
    ])
      expect((await create('refused', refused)).text).not.toContain(secret);
    // A new source without a login drops the old one.
    await call('PUT', '/with-login', { source: { url } });
    expect((await stored('with-login'))?.source).toEqual({ url });
  });

  it.for([
    ['http://127.0.0.1:8080/a.json'],
    ['http://169.254.169.254/latest'],
    ['http://[::1]/'],
    ['http://[::ffff:127.0.0.1]/'],
    ['http://0x7f000001/'],
    ['http://localhost/'],
    ['http://10.0.0.5/'],
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['specs.example.org/a.json'],
    ['https://specs.example.org:6379/'],
    [`https://specs.example.org/${'a'.repeat(2048)}`],
    [`https://specs.example.org/${'"'.repeat(1000)}`],
    ['https://specs.example.org/\n'],
    [''],
  ] as const)('refuses the URL %s', async ([refused], { create, stored }) => {
    const { status, body } = await create('refused', { url: refused });
    expect([status, body.error.details[0].path]).toEqual([400, 'body.source.url']);
    expect(await stored('refused')).toBeNull();
  });

  it('shows its URL in the form of the URI standard', async ({ create }) => {
    const { body } = await create('odd-url', { url: 'https://specs.example.org/a b|c^{d}?q=ü"<>`|' });
    expect(body.sourceURL).toMatch(/^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/);
    expect(new URL(body.sourceURL).href).toBe(body.sourceURL);
  });

  it.for([
    [{}],
    [{ url, text: 'a' }],
    [{ text: '' }],
    [{ url: 5 }],
    [{ text: 'a\0' }],
    [{ text: { openapi: '3.1.0' } }],
    [[]],
    ['text'],
    [null],
    [undefined],
  ] as const)('refuses the source %j', async ([source], { call }) => {
    const { status, body } = await call('POST', '', { slug: 'refused', source });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toMatch(/^body\.source/);
  });
});

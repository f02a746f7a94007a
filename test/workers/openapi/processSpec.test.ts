import { OpenAPISpecVersion } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it, petstore } from '../../support/openapi/specs.ts';

const json = 'application/json';

describe('a specification from a URL', () => {
  it('becomes a version with one file for readers, and the original as it was sent', async ({
    server,
    call,
    put,
    content,
  }) => {
    const text = `${petstore()}\n`;
    server.put('/pets.json', { type: json, body: text });
    const spec = await put('url', { url: `${server.origin}/pets.json` });
    expect(spec).toMatchObject({ processingState: 'complete', lastVersion: expect.any(String) });
    expect(spec).not.toHaveProperty('lastProcessErrorCode');
    expect(await content('url')).toMatchObject([
      {
        filename: 'openapi.json',
        dir: '.',
        isEntrypoint: true,
        references: [],
        specification: { openapi: '3.0.3', paths: { '/pets': { get: { summary: 'List' } } } },
      },
    ]);
    expect((await call('GET', 'url/versions/latest/content/raw')).body).toEqual({ text, format: 'json' });
    expect((await call('GET', 'url/versions/latest')).body).toMatchObject({
      id: spec.lastVersion,
      openapi: '3.0.3',
      title: 'Pets',
      version: '1.0',
      counts: { operations: 1, webhooks: 0, schemas: 0 },
    });
  });

  it('becomes another version only when its content has changed', async ({ server, put }) => {
    const url = `${server.origin}/changing.json`;
    server.put('/changing.json', { type: json, body: petstore() });
    const { id, lastVersion } = await put('changing', { url });
    server.put('/changing.json', { type: json, body: JSON.stringify(JSON.parse(petstore()), null, 2) });
    expect(await put('changing', { url })).toMatchObject({ lastVersion });
    server.put('/changing.json', { type: json, body: petstore({ '/cats': {} }) });
    expect((await put('changing', { url })).lastVersion).not.toBe(lastVersion);
    expect(await OpenAPISpecVersion.countDocuments({ spec: id })).toBe(2);
  });

  it('is fetched with its login, which goes to no other host', async ({ server, put }) => {
    const seen: (string | undefined)[] = [];
    server.put('/private.json', {
      serve: (request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(200, { 'content-type': json }).end(petstore());
      },
    });
    const spec = await put('login', { url: `${server.origin.replace('//', '//me:s3cret@')}/private.json` });
    expect(spec.lastVersion).toEqual(expect.any(String));
    expect(seen).toEqual([`Basic ${btoa('me:s3cret')}`]);
  });

  it.for([
    ['404', { status: 404 }, 'FETCH_ERROR'],
    ['a login page', { body: '<html><title>Sign in</title></html>' }, 'PARSE_ERROR'],
    [
      'a redirect to a closed address',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'FETCH_ERROR',
    ],
  ] as const)('keeps its last version after %s', async ([name, answer, code], { server, put }) => {
    const slug = `broken-${code.toLowerCase().replace('_', '-')}-${name.length}`;
    const url = `${server.origin}/${slug}`;
    server.put(`/${slug}`, { type: json, body: petstore() });
    const { lastVersion } = await put(slug, { url });
    server.put(`/${slug}`, answer);
    const spec = await put(slug, { url });
    expect(spec).toMatchObject({ lastVersion, lastProcessErrorCode: code });
    expect(spec.lastProcessedErrors[0].message).toEqual(expect.any(String));
    expect(spec.lastProcessedErrorCount).toBeGreaterThan(0);
  });
});

describe('a specification as text', () => {
  it('becomes a version', async ({ put, content }) => {
    await put('text', { text: 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n' });
    expect(await content('text')).toMatchObject([{ specification: { openapi: '3.1.0' } }]);
  });

  it('is refused with the reason when it has no OpenAPI version', async ({ put }) => {
    expect(await put('no-version', { text: '{"hello": "world"}' })).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message: expect.stringMatching(/version|OpenAPI/), code: expect.any(String) }],
    });
  });
});

import { OpenAPISpec, OpenAPISpecVersion } from '@bindery/models';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { buildSpec } from '../../support/factories.ts';
import { it } from '../../support/openapi/specs.ts';

const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.10', description: 'First.\n\n- yes\n' },
  paths: {},
  'x-strings': ['1', '1e3', 'true', 'no', 'null', '2020-01-01', '12:30', '0x10', '', ' a', 'ü'],
};
const json = JSON.stringify(document);

describe('a public specification', () => {
  it('is served as JSON and as YAML, to every origin', async ({ api, call, put }) => {
    const comment = '# not JSON\n';
    const { id } = await put('pets', { text: `${comment}${json}` });
    const { urls } = (await call('PATCH', 'pets', { visibility: 'public' })).body;
    expect(urls).toMatchObject({
      published: `http://api.test/v1/openapi/${id}`,
      json: `http://api.test/v1/openapi/${id}/openapi.json`,
      yaml: `http://api.test/v1/openapi/${id}/openapi.yaml`,
    });
    expect((await api.call('GET', urls.published)).text).toBe(`${comment}${json}`);
    expect((await api.call('GET', urls.json)).body).toEqual(document);
    const { text } = await api.call('GET', urls.yaml);
    expect(parse(text)).toEqual(document);
    expect(text).toContain('info:\n  title: Pets\n');

    for (const [url, type] of [
      [urls.json, 'application/json; charset=utf-8'],
      [urls.yaml, 'application/yaml'],
    ]) {
      const head = await api.call('HEAD', url);
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Object.fromEntries(head.headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, no-cache',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag',
      });
      const tag = head.headers.get('etag') ?? '';
      const again = await api.call('GET', url, { headers: { 'if-none-match': tag } });
      expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
      await put('pets', { text: json.replace('Pets', `Pets as ${type}`) });
      expect((await api.call('GET', url, { headers: { 'if-none-match': tag } })).status).toBe(200);
    }
  });

  it('is served as YAML also from a version that was stored without YAML', async ({ api, call, put }) => {
    const { id, lastVersion } = await put('old', { text: json });
    await OpenAPISpecVersion.updateOne({ _id: lastVersion }, { $unset: { yaml: 1 } });
    const { urls } = (await call('PATCH', 'old', { visibility: 'public' })).body;
    const { text, headers } = await api.call('GET', urls.yaml);
    expect([parse(text), headers.get('content-type')]).toEqual([document, 'application/yaml']);
    expect(urls.yaml).toContain(id);
  });

  it('has a reference page without inline scripts and without text of the document', async ({
    api,
    call,
    put,
  }) => {
    await put('page', { text: json });
    const { urls } = (await call('PATCH', 'page', { visibility: 'public' })).body;
    const page = await api.call('GET', urls.reference);
    expect(page.text).not.toMatch(/Pets|<script>|<style|style=|onload=/);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*; sandbox allow-scripts/,
      ),
    });
    const known = { headers: { 'if-none-match': page.headers.get('etag') ?? '' } };
    expect((await api.call('GET', urls.reference, known)).status).toBe(304);
    const head = await api.call('HEAD', urls.reference);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('answers 404 when it is private again, deleted, or has no version', async ({
    api,
    call,
    put,
    organization,
  }) => {
    const paths = ['', '/openapi.json', '/openapi.yaml', '/reference'];
    const statuses = (id: string) =>
      Promise.all(paths.map(async (path) => (await api.call('GET', `/v1/openapi/${id}${path}`)).status));
    const found = paths.map(() => 200);
    const missing = paths.map(() => 404);
    const { id } = await put('gone', { text: json });
    expect(await statuses(id)).toEqual(missing);
    await call('PATCH', 'gone', { visibility: 'public' });
    expect(await statuses(id)).toEqual(found);
    await call('PATCH', 'gone', { visibility: 'private' });
    expect(await statuses(id)).toEqual(missing);
    await call('PATCH', 'gone', { visibility: 'public' });
    expect(await statuses(id)).toEqual(found);
    await call('DELETE', 'gone');
    expect(await statuses(id)).toEqual(missing);
    const empty = await buildSpec(organization, { visibility: 'public' });
    await OpenAPISpec.updateOne({ _id: empty._id }, { $set: { lastVersion: 'nothing' } });
    expect(await statuses(empty._id)).toEqual(missing);
  });
});

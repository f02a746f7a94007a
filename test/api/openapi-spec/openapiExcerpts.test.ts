import { connect } from 'node:net';
import { excerptsFor, findVersionsOf } from '@bindery/content';
import { OpenAPISpec, type OpenAPISpecRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSpec, buildToken } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { publish } from '../../support/site/specSite.ts';
import { until } from '../../support/until.ts';

const it = base
  .extend('spec', { scope: 'file' }, async ({ organization }) => {
    const spec = await buildSpec(organization, { slug: 'pets' });
    await publish(spec, 'List the pets');
    return spec;
  })
  .extend(
    'ask',
    ({ api, organization, reader, spec: _published }) =>
      async (blocks: unknown, { token } = reader) =>
        api.call('POST', `/v1/orgs/${organization._id}/openapi-excerpts`, { token, json: { blocks } }),
  );

const operation = (spec: string, method = 'get') => ({
  type: 'openapi-operation',
  data: { ref: { kind: 'openapi', spec }, path: '/pets', method },
});

describe('the parts of specifications that blocks show', () => {
  it('are small documents, under the slug or id of each specification', async ({ ask, spec }) => {
    const { status, body } = await ask([operation('pets'), operation(spec._id), operation('unknown')]);
    expect(status).toBe(200);
    expect(Object.keys(body.excerpts).toSorted()).toEqual(['pets', spec._id].toSorted());
    expect(Object.keys(body.excerpts.pets.paths['/pets'])).toEqual(['get']);
    expect(body.excerpts.pets.paths['/pets'].get.summary).toBe('List the pets');
    expect(Object.keys(body.excerpts.pets.components.schemas)).toEqual(['Pet']);
  });

  it('omit specifications that the caller cannot view', async ({
    api,
    organization,
    space,
    ask,
    admin,
    guest,
  }) => {
    const { organization: other } = await buildOrganization();
    await publish(await buildSpec(other, { slug: 'theirs', visibility: 'public' }), 'Theirs');
    await publish(await buildSpec(organization, { slug: 'open', visibility: 'public' }), 'Open');
    const blocks = [operation('pets'), operation('theirs'), operation('open')];
    expect(Object.keys((await ask(blocks)).body.excerpts)).toEqual(['pets', 'open']);
    expect(Object.keys((await ask(blocks, guest)).body.excerpts)).toEqual(['open']);
    const limited = await buildToken(admin.user, { spaces: [space._id] });
    expect((await ask(blocks, { ...admin, ...limited })).status).toBe(404);
    const path = `/v1/orgs/${other._id}/openapi-excerpts`;
    expect((await api.call('POST', path, { token: admin.token, json: { blocks } })).status).toBe(404);
  });

  it('are not read for a caller who has disconnected', async ({ api, organization, reader, spec }) => {
    const published = (await OpenAPISpec.findById(spec._id).lean<OpenAPISpecRecord>())!;
    const versions = await findVersionsOf(new Map([['pets', published]]), organization._id);
    const specs = { versions, blobs: api.blobs };
    const signal = AbortSignal.abort();
    await expect(excerptsFor([operation('pets')], specs, { signal })).rejects.toThrow('aborted');
    const path = `/v1/orgs/${organization._id}/openapi-excerpts`;
    const body = JSON.stringify({ blocks: [operation('pets')] });
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1');
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: test',
      `Authorization: Bearer ${reader.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
    const logged = () => api.logLines.map((line) => JSON.parse(line) as { aborted?: true });
    await until('request that was left', () => logged().some(({ aborted }) => aborted));
    expect(api.logLines.join('\n')).not.toContain('failed unexpectedly');
  });

  it('refuse other blocks, and more than 1,000', async ({ ask }) => {
    for (const blocks of [
      [{ type: 'paragraph', data: {} }],
      [{ type: 'openapi-operation' }],
      Array.from({ length: 1_001 }, () => operation('pets')),
    ]) {
      const { status, body } = await ask(blocks);
      expect([status, body.error.details[0].path]).toEqual([400, expect.stringMatching(/^body\.blocks/)]);
    }
    expect((await ask([])).body).toEqual({ excerpts: {} });
  });
});

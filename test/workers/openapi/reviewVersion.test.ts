import { describe, expect } from 'vitest';
import {
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import { it, petstore } from '../../support/openapi/specs.ts';

describe('the review of a version', { timeout: 180_000 }, () => {
  it('counts the changes since the version before', async ({ call, twoVersions }) => {
    const { first, version } = await twoVersions('changes');
    expect(version.changes).toMatchObject({ before: first, breaking: 1 });
    const { items } = (await call('GET', 'changes/versions')).body;
    expect(items.map(({ changes }: { changes?: { breaking: number } }) => changes?.breaking)).toEqual([
      1,
      undefined,
    ]);
  });

  it('reports whether swagger-parser accepts the version, and lists style remarks', async ({
    call,
    put,
    reviewed,
  }) => {
    await put('style', { text: petstore() });
    await reviewed('style/versions/latest');
    expect((await call('GET', 'style/versions/latest/compatibility')).body).toEqual({ state: 'accepted' });
    const { body } = await call('GET', 'style/versions/latest/lint');
    expect(body.items.length).toBeGreaterThan(0);
    await put('style', { text: petstore({ '/dogs': { get: { responses: 1 } } }) });
    expect((await reviewed('style/versions/latest')).id).toEqual(expect.any(String));
    expect((await call('GET', 'style/versions/latest/compatibility')).body).toMatchObject({
      state: 'refused',
      reason: expect.any(String),
    });
  });

  it('returns 404 for the style, and `pending` for the compatibility, before it has ended', async ({
    call,
    put,
  }) => {
    await put('not-yet', { text: petstore() });
    expect((await call('GET', 'not-yet/versions/latest/lint')).status).toBe(404);
    expect((await call('GET', 'not-yet/versions/latest/compatibility')).body).toEqual({ state: 'pending' });
  });
});

describe('the settings of the organization', { timeout: 180_000 }, () => {
  it('apply to the changes of later reviews, to comparisons and to the style', async ({
    api,
    organization,
    admin,
    call,
    twoVersions,
  }) => {
    const put = (json: object) =>
      api.call('PUT', `/v1/orgs/${organization._id}/openapi-settings`, { token: admin.token, json });
    const lintSeverities = { 'info-license': 'off' };
    await put({ changeSeverities: { 'operation-removed': 'info' }, lintSeverities });
    const { first, second, version } = await twoVersions('settings');
    expect(version.changes).toMatchObject({ breaking: 0, info: 1 });
    const compared = `settings/versions/${first}/diff/${second}`;
    expect((await call('GET', compared)).body.counts).toMatchObject({ breaking: 0, info: 1 });
    const { items } = (await call('GET', `settings/versions/${second}/lint`)).body;
    expect(items.map(({ rule }: { rule: string }) => rule)).not.toContain('info-license');
    await put({});
    expect((await call('GET', compared)).body.counts).toMatchObject({ breaking: 1 });
    expect((await call('GET', `settings/versions/${second}`)).body.changes).toMatchObject({ breaking: 0 });
  });
});

describe('a review that cannot be started', { timeout: 180_000 }, () => {
  it('does not delay other reviews, and is retried later', async ({ put, reviewed }) => {
    await put('broken', { text: petstore() });
    const spec = await OpenAPISpec.findOne({ slug: 'broken' }).lean<OpenAPISpecRecord>().orFail();
    const broken = await OpenAPISpecVersion.findOne({ spec: spec._id })
      .lean<OpenAPISpecVersionRecord>()
      .orFail();
    // A damaged record, the first of those that are due.
    const { collection } = OpenAPISpecVersion;
    const damaged = { spec: { damaged: true }, reviewDueAt: new Date(0) };
    await collection.updateOne({ spec: spec._id }, { $set: damaged });
    await put('sound', { text: petstore() });
    expect((await reviewed('sound/versions/latest')).id).toEqual(expect.any(String));
    const after = await OpenAPISpecVersion.findById(broken._id).lean<OpenAPISpecVersionRecord>().orFail();
    expect(Number(after.reviewDueAt)).toBeGreaterThan(Number(broken.reviewDueAt));
  });
});

describe('the comparison of two versions', { timeout: 180_000 }, () => {
  it('is returned as JSON, Markdown or HTML', async ({ call, twoVersions }) => {
    const { first, second } = await twoVersions('diff');
    const path = `diff/versions/${first}/diff/${second}`;
    const json = await call('GET', path);
    expect(json.body).toMatchObject({
      counts: { breaking: 1 },
      changes: [{ severity: 'breaking', operations: [{ method: 'get', path: '/cats' }] }],
    });
    const markdown = await call('GET', `${path}?format=markdown`);
    expect([markdown.headers.get('content-type'), markdown.text]).toEqual([
      expect.stringMatching('text/markdown'),
      expect.stringMatching('/cats'),
    ]);
    const html = await call('GET', path, undefined, { accept: 'text/html' });
    expect([html.headers.get('content-type'), html.text]).toEqual([
      expect.stringMatching('text/html'),
      expect.stringMatching(/<!doctype html>[^]*\/cats/),
    ]);
    expect((await call('GET', `${path}?format=pdf`)).status).toBe(400);
    expect((await call('GET', `diff/versions/${first}/diff/none`)).status).toBe(404);
  });

  it('is refused with 503 when many are requested at once, and works again afterwards', async ({
    call,
    twoVersions,
  }) => {
    const { first, second } = await twoVersions('busy');
    const path = `busy/versions/${first}/diff/${second}`;
    const answers = await Promise.all(Array.from({ length: 12 }, async () => call('GET', path)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeLessThan(answers.length);
    for (const { status, headers } of refused)
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.length).toBeGreaterThan(0);
    expect((await call('GET', path)).status).toBe(200);
  });
});

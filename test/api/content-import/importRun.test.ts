import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import type { ApiAnswer } from '../../support/apiServer.ts';
import { countRevisions, itImporting as base, readContent } from '../../support/content/contentImporting.ts';
import { docxOf } from '../../support/content/docxWriter.ts';
import { expireJobs } from '../../support/stores/expireJobs.ts';
import { buildChangeRequest, buildMember, buildOrganization, buildSpace } from '../../support/factories.ts';
import { until } from '../../support/until.ts';
import { zipOf } from '../../support/content/zipWriter.ts';
import type { SpaceRecord } from '@bindery/models';

const it = base
  .extend('runs', { scope: 'file' }, ({ organization }) => `/v1/org/${organization._id}/imports`)
  .extend(
    'call',
    ({ api, admin }) =>
      (method: string, path: string, json?: unknown, token = admin.token): Promise<ApiAnswer> =>
        api.call(method, path, { token, ...(json !== undefined && { json }) }),
  )
  .extend('website', ({ server }) => (path = '/w/') => ({ type: 'website', url: `${server.origin}${path}` }))
  .extend(
    'ended',
    ({ runs, call }) =>
      (id: string) =>
        until(
          'end of the import',
          async () => {
            const { body } = await call('GET', `${runs}/${id}`);
            return ['completed', 'failed', 'cancelled'].includes(body.status) ? body : undefined;
          },
          { timeoutMs: 40_000 },
        ),
  )
  .extend(
    'upload',
    ({ api, organization, call }) =>
      async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
        const { status, body } = await call('POST', `/v1/orgs/${organization._id}/storage/upload`, {
          file: { name, type: 'x/y', size: bytes.length },
          kind: 'import_file',
        });
        expect([status, body.object]).toEqual([201, 'storage-signed-url']);
        expect((await api.call('PUT', body.url, { body: bytes })).status).toBe(204);
        return body.key;
      },
  )
  .extend('path', ({ organization }) => `/v1/orgs/${organization._id}/storage/upload`);

describe('an import run', () => {
  it('of a website is started, shown and completed', async ({
    admin,
    space,
    server,
    runs,
    call,
    website,
    ended,
  }) => {
    server.put('/w/', { body: '<main><h1>Start</h1><p><a href="/w/a">a</a></p></main>' });
    server.put('/w/a', { body: '<main><h1>A</h1><p>a</p></main>' });
    const { status, body, headers } = await call('POST', runs, {
      source: website(),
      target: { space: space._id },
    });
    expect([status, body]).toEqual([
      201,
      {
        object: 'import-run',
        id: headers.get('x-job-id'),
        status: expect.stringMatching(/^(pending|in-progress)$/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        source: website(),
        target: { space: space._id },
        createdBy: admin.user._id,
        urls: { location: `http://api.test${runs}/${body.id}` },
      },
    ]);
    const done = await ended(body.id);
    expect(done).toMatchObject({
      status: 'completed',
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    const content = await readContent(space);
    expect(content.outline.slice(1)).toEqual(['document Start /start', 'document A /a']);
    expect(done.pages).toEqual([
      { id: content.page('Start').id, type: 'page', status: 'complete', sourceURL: `${server.origin}/w/` },
      { id: content.page('A').id, type: 'page', status: 'complete', sourceURL: `${server.origin}/w/a` },
    ]);
  });

  it('of uploaded files reads each file by its type, below a page', async ({
    space,
    runs,
    call,
    ended,
    upload,
  }) => {
    const files = [
      await upload('one.md', Buffer.from('# One\n\n[x](a.md)\n')),
      await upload(
        'two.zip',
        Buffer.from(
          zipOf({
            'SUMMARY.md': '* [A](a.md)\n\n## Group\n\n* [B](b.md)\n',
            'a.md': '# A\n\n[B](b.md)\n',
            'b.md': '# B\n',
          }),
        ),
      ),
      await upload(
        'three.zip',
        Buffer.from(zipOf({ 'a.md': '# Other A\n\n[B](b.md)\n', 'b.md': '# Other B\n' })),
      ),
      await upload('Four.docx', Buffer.from(docxOf([{ text: 'text' }]))),
      await upload('five.html', Buffer.from('<h1>Five</h1><p>x</p>')),
    ];
    const page = (await readContent(space)).tree[0]?.id;
    const { status, body } = await call('POST', runs, {
      source: { type: 'file', files },
      target: { space: space._id, page },
    });
    expect([status, body.source, body.target]).toEqual([
      201,
      { type: 'file', files },
      { space: space._id, page },
    ]);
    expect(await ended(body.id)).toMatchObject({ status: 'completed' });
    const content = await readContent(space);
    expect(content.outline).toEqual([
      'document Space /readme',
      ...[
        'One /one',
        'A /a',
        'Group /group',
        '  B /group/b',
        'Other A /other-a',
        'Other B /other-b',
        'Four /four',
        'Five /five',
      ].map((line) => line.replace(/^( *)/, '  $1document ').replace('/', '/readme/')),
    ]);
    // Pages of two archives stay apart when they have the same name.
    expect(content.textOf('A')).toContain(`/pages/${content.page('B').id}`);
    expect(content.textOf('Other A')).toContain(`/pages/${content.page('Other B').id}`);
    expect(content.textOf('One')).toBe('# One\n\n[x](a.md)\n');
  });

  it('into a change request does not change the main content', async ({
    space,
    server,
    runs,
    call,
    website,
    ended,
  }) => {
    server.put('/w/', { body: '<main><h1>Start</h1><p>x</p></main>' });
    const changeRequest = await buildChangeRequest(space);
    const { body } = await call('POST', runs, {
      source: website(),
      target: { space: space._id, changeRequest: String(changeRequest.number) },
    });
    expect(await ended(body.id)).toMatchObject({
      status: 'completed',
      target: { changeRequest: changeRequest._id },
    });
    expect((await readContent(space)).outline).toEqual(['document Space /readme']);
  });

  it('fails with the reason when there is nothing at its URL', async ({
    space,
    runs,
    call,
    website,
    ended,
  }) => {
    const { body } = await call('POST', runs, { source: website('/gone'), target: { space: space._id } });
    expect(await ended(body.id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('nothing at this URL'),
    });
  });

  it('can be cancelled by editors only, and is hidden from strangers', async ({
    organization,
    space,
    server,
    runs,
    call,
    website,
    ended,
  }) => {
    server.put('/w/', { serve: () => {} });
    const { body } = await call('POST', runs, { source: website(), target: { space: space._id } });
    const reader = await buildMember(organization, 'read');
    const editor = await buildMember(organization, 'edit');
    expect((await call('POST', `${runs}/${body.id}/cancel`, undefined, reader.token)).status).toBe(403);
    expect((await call('GET', `${runs}/${body.id}`, undefined, reader.token)).status).toBe(200);
    expect((await call('POST', `${runs}/${body.id}/cancel`, undefined, editor.token)).status).toBe(200);
    expect(await ended(body.id)).toMatchObject({ status: 'cancelled' });
    expect((await call('POST', `${runs}/${body.id}/cancel`)).status).toBe(200);
    expect(await countRevisions(space)).toBe(1);
    const outsider = (await buildOrganization()).admin;
    for (const path of [runs, `${runs}/${body.id}`])
      expect((await call('GET', path, undefined, outsider.token)).status).toBe(404);
    expect((await call('GET', `${runs}/nothing`)).status).toBe(404);
  });

  it.for<[string, (space: string, website: object) => object, number]>([
    ['an unknown space', (_space, website) => ({ source: website, target: { space: 'nothing' } }), 400],
    [
      'an unknown change request',
      (space, website) => ({ source: website, target: { space, changeRequest: 'nothing' } }),
      400,
    ],
    ['an unknown page', (space, website) => ({ source: website, target: { space, page: 'nothing' } }), 400],
    ['an unknown site', (space, website) => ({ source: website, target: { space }, site: 'nothing' }), 400],
    [
      'an unknown file',
      (space) => ({ source: { type: 'file', files: ['nothing'] }, target: { space } }),
      400,
    ],
    [
      'a file that was never uploaded',
      (space) => ({ source: { type: 'file', files: [`${'a'.repeat(20)}-x.md`] }, target: { space } }),
      400,
    ],
    ['no file', (space) => ({ source: { type: 'file', files: [] }, target: { space } }), 400],
    ['another kind of source', (space) => ({ source: { type: 'email' }, target: { space } }), 400],
    [
      'a closed address',
      (space) => ({ source: { type: 'website', url: 'http://127.0.0.1:1/' }, target: { space } }),
      400,
    ],
    [
      'a login in the URL',
      (space) => ({ source: { type: 'website', url: 'https://a:b@example.org/' }, target: { space } }),
      400,
    ],
    ['no target', (_space, website) => ({ source: website }), 400],
  ])('is refused for %s', async ([, json, status], { space, runs, call, website }) => {
    expect((await call('POST', runs, json(space._id, website()))).status).toBe(status);
    expect(await jobCollection().countDocuments({ 'input.spaceId': space._id })).toBe(0);
  });

  it('is refused for a foreign or locked space, and without the permission to edit', async ({
    organization,
    space,
    newSpace,
    runs,
    call,
    website,
  }) => {
    const target = { space: space._id };
    const elsewhere = await buildOrganization();
    const theirs = await buildSpace(elsewhere.organization);
    expect((await call('POST', runs, { source: website(), target: { space: theirs._id } })).status).toBe(400);
    const reader = await buildMember(organization, 'read');
    expect((await call('POST', runs, { source: website(), target }, reader.token)).status).toBe(403);
    const guest = await buildMember(organization, null);
    expect((await call('POST', runs, { source: website(), target }, guest.token)).status).toBe(400);
    const locked = await newSpace({ editMode: 'locked' });
    expect((await call('POST', runs, { source: website(), target: { space: locked._id } })).status).toBe(412);
  });
});

describe('the list of import runs', () => {
  it('is newest first, can be filtered, and hides runs of spaces that the caller cannot view', async ({
    call,
    website,
  }) => {
    const { organization, admin } = await buildOrganization();
    const path = `/v1/org/${organization._id}/imports`;
    const spaces = [await buildSpace(organization), await buildSpace(organization)];
    const changeRequest = await buildChangeRequest(spaces[0] as SpaceRecord);
    const targets = [
      { space: spaces[0]?._id },
      { space: spaces[0]?._id, changeRequest: changeRequest._id },
      { space: spaces[1]?._id },
    ];
    const ids: string[] = [];
    for (const target of targets)
      ids.unshift((await call('POST', path, { source: website('/gone'), target }, admin.token)).body.id);
    const list = async (query = '', token = admin.token) => {
      const { body } = await call('GET', `${path}${query}`, undefined, token);
      return { count: body.count, ids: body.items.map(({ id }: { id: string }) => id) };
    };
    expect(await list()).toEqual({ count: 3, ids });
    expect(await list(`?space=${spaces[1]?._id}`)).toEqual({ count: 1, ids: [ids[0]] });
    expect(await list(`?changeRequest=${changeRequest._id}`)).toEqual({ count: 1, ids: [ids[1]] });
    expect(await list('?site=nothing')).toEqual({ count: 0, ids: [] });
    for (const id of ids)
      await until('end', async () => (await jobCollection().findOne({ _id: id }))?.finishedAt, {
        timeoutMs: 40_000,
      });
    expect(await list('?status=failed')).toEqual({ count: 3, ids });
    for (const status of ['active', 'pending', 'in-progress', 'completed', 'cancelled'])
      expect(await list(`?status=${status}`)).toEqual({ count: 0, ids: [] });
    expect((await call('GET', `${path}?status=other`, undefined, admin.token)).status).toBe(400);
    const guest = await buildMember(organization, null);
    expect(await list('', guest.token)).toEqual({ count: 0, ids: [] });
  });
});

it('import runs look the same when the records of their jobs have expired', async ({
  server,
  call,
  website,
}) => {
  const { organization, admin } = await buildOrganization();
  const space = await buildSpace(organization);
  const path = `/v1/org/${organization._id}/imports`;
  server.put('/w/', { body: '<main><h1>Start</h1><p>x</p></main>' });
  server.put('/hanging', { serve: () => {} });
  const get = async (at: string, token = admin.token) => {
    const { status, body } = await call('GET', at, undefined, token);
    return { status, body };
  };
  const start = async (source: object): Promise<string> =>
    (await call('POST', path, { source, target: { space: space._id } }, admin.token)).body.id;
  const endOf = (id: string) =>
    until('end of the import', async () => (await jobCollection().findOne({ _id: id }))?.finishedAt, {
      timeoutMs: 40_000,
    });
  const completed = await start(website());
  const failed = await start(website('/gone'));
  const cancelled = await start(website('/hanging'));
  await call('POST', `${path}/${cancelled}/cancel`, undefined, admin.token);
  for (const id of [completed, failed, cancelled]) await endOf(id);
  const look = async () => {
    const answers = [];
    for (const id of [completed, failed, cancelled]) {
      answers.push(await get(`${path}/${id}`));
      const { status, body } = await call('POST', `${path}/${id}/cancel`, undefined, admin.token);
      answers.push({ status, body: body.error?.message ?? body });
    }
    for (const query of [
      '',
      '?limit=0',
      `?space=${space._id}`,
      '?status=completed',
      '?status=failed',
      '?status=cancelled',
      '?status=active',
    ])
      answers.push(await get(`${path}${query}`));
    const { token } = await buildMember(organization, null);
    answers.push(await get(path, token), (await get(`${path}/${completed}`, token)).status);
    return answers;
  };
  const before = await look();
  await expireJobs(completed, failed, cancelled);
  expect(await look()).toEqual(before);

  // Pages go over both, those that are kept and those that are not.
  const newest = await start(website('/gone'));
  await endOf(newest);
  const ids: string[] = [];
  for (let page = '?limit=2'; page !== '';) {
    const { body } = await get(`${path}${page}`);
    expect(body.count).toBe(4);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    page = body.next ? `?limit=2&page=${body.next.page}` : '';
  }
  expect(ids).toEqual([newest, cancelled, failed, completed]);
});

describe('an upload', () => {
  const file = { name: 'a.md', type: 'text/markdown', size: 5 };

  it('accepts the announced number of bytes once', async ({ api, call, path }) => {
    const { body } = await call('POST', path, { file, kind: 'import_file' });
    const put = (bytes: string, url = body.url) => api.call('PUT', url, { body: bytes });
    expect((await put('123456')).status).toBe(413);
    expect((await put('1234')).status).toBe(400);
    expect((await put('12345', body.url.replace('size=5', 'size=9'))).status).toBe(404);
    expect((await put('12345', body.url.replace(/signature=.*/, 'signature=x'))).status).toBe(404);
    expect((await api.call('GET', body.url)).status).toBe(405);
    expect((await put('12345')).status).toBe(204);
    expect((await put('54321')).status).toBe(409);
  });

  it.for([
    [{ file: { ...file, size: 0 }, kind: 'import_file' }],
    [{ file: { ...file, size: 21 * 1024 * 1024 }, kind: 'import_file' }],
    [{ file: { ...file, name: '' }, kind: 'import_file' }],
    [{ file, kind: 'customization_font' }],
    [{ file, kind: 'other' }],
    [{ kind: 'import_file' }],
  ])('is refused for %j', async ([json], { call, path }) => {
    expect((await call('POST', path, json)).status).toBe(400);
  });
});

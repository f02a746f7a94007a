import {
  jobCollection,
  refreshAccess,
  Revision,
  Space,
  Translation,
  withTransaction,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  buildTranslation,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const stored = async (id: string) => Translation.findById(id).lean<TranslationRecord>();
const loadSpace = async (id: string | undefined) => Space.findById(id).lean<SpaceRecord>();
const resultOf = async (id: string) => loadSpace((await stored(id))?.result.space);
const document = (words: string) => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }],
    },
  ],
});
const noStats = {
  runs: 0,
  totalWords: 0,
  totalPages: 0,
  totalDuration: 0,
  latestRunDuration: 0,
  latestPages: 0,
  latestWords: 0,
};

// Room for all jobs of this file, so that none of them waits in MongoDB.
const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'call',
    ({ api, organization, creator }) =>
      (
        method: string,
        path: string,
        json?: unknown,
        { token } = creator,
        headers: Record<string, string> = {},
      ) =>
        api.call(method, `/v1/orgs/${organization._id}/translations${path}`, {
          token,
          headers,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'create',
    ({ creator, call }) =>
      (space: string, body: object = {}, user = creator) =>
        call('POST', '', { language: 'de', source: { space, language: 'en' }, ...body }, user),
  );

describe('POST /v1/orgs/{organizationId}/translations', () => {
  it('makes a translation that waits for its worker, and the space for its result', async ({
    api,
    organization,
    commenter,
    create,
  }) => {
    const source = await buildSpace(organization, { title: 'Handbook', emoji: '1f680' });
    const { status, body, headers } = await create(source._id);
    expect([status, body]).toEqual([
      201,
      {
        object: 'translation',
        id: expect.any(String),
        status: 'pending',
        source: { space: source._id, language: 'en' },
        language: 'de',
        instructions: { object: 'document', data: { schemaVersion: 1 }, nodes: [] },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        stats: noStats,
        permissions: { view: true, edit: true },
        urls: { location: `http://api.test/v1/orgs/${organization._id}/translations/${body.id}` },
      },
    ]);
    expect(await resultOf(body.id)).toMatchObject({
      title: 'Handbook (de)',
      language: 'de',
      emoji: '1f680',
      organization: organization._id,
    });
    const job = (await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}`, { token: commenter.token }))
      .body;
    expect(job).toMatchObject({
      kind: 'translation-run',
      state: 'queued',
      subject: { type: 'translation', id: body.id },
      waiting: { reason: 'no_worker' },
    });
    expect((await jobCollection().findOne({ _id: job.id }))?.input).toEqual({ translationId: body.id });
  });

  it('puts the result beside the source, and keeps the language in a shortened title', async ({
    organization,
    create,
  }) => {
    const collection = await buildCollection(organization);
    const source = await buildSpace(organization, { parent: collection._id, title: '🐘'.repeat(50) });
    const result = await resultOf((await create(source._id, { language: 'pt-br' })).body.id);
    expect(result).toMatchObject({
      parent: collection._id,
      ancestors: [collection._id],
      title: `${'🐘'.repeat(42)} (pt-br)`,
    });
  });

  it('gives the result the access rules of the source', async ({
    api,
    organization,
    creator,
    reader,
    create,
  }) => {
    const friend = await buildMember(organization, null);
    const closed = await buildSpace(organization, { defaultLevel: null });
    await buildGrant({ space: closed }, friend, 'comment');
    await buildGrant({ space: closed }, creator, 'read');
    const result = await resultOf((await create(closed._id)).body.id);
    const see = async (user: TestUser) =>
      (await api.call('GET', `/v1/spaces/${result?._id}`, { token: user.token })).body;
    expect((await see(friend)).permissions).toMatchObject({ comment: true, edit: false });
    expect((await see(creator)).permissions).toMatchObject({ view: true, comment: false });
    expect((await see(reader)).error.code).toBe(404);
  });

  it('stores the instructions unchanged', async ({ organization, call, create }) => {
    const source = await buildSpace(organization);
    const instructions = {
      ...document('Be brief. 🐘'),
      data: { schemaVersion: 3, $set: { 'a.b': null }, '': [1] },
    };
    const { body } = await create(source._id, { instructions });
    expect(body.instructions).toEqual(instructions);
    expect((await call('GET', `/${body.id}`)).body.instructions).toEqual(instructions);
  });

  it('takes a request of more than a megabyte with its instructions', async ({
    api,
    organization,
    creator,
  }) => {
    const source = await buildSpace(organization);
    const json = JSON.stringify({
      language: 'de',
      source: { space: source._id, language: 'en' },
      instructions: document('a'.repeat(900_000)),
    });
    const { status } = await api.call('POST', `/v1/orgs/${organization._id}/translations`, {
      token: creator.token,
      body: `${json}${' '.repeat(300_000)}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(201);
  });

  it.for([
    ['no language', { language: undefined }, 'body.language'],
    ['an unknown language', { language: 'xx-YY-zz' }, 'body.language'],
    ['a language in capitals', { language: 'EN' }, 'body.language'],
    ['the language of the source', { language: 'en' }, 'body.source.language'],
    [
      'an unknown language of the source',
      { source: { space: 'a-space', language: 'xx' } },
      'body.source.language',
    ],
    ['no source', { source: undefined }, 'body.source'],
    ['no space', { source: { language: 'en' } }, 'body.source.space'],
    ['an empty space', { source: { space: '', language: 'en' } }, 'body.source.space'],
    ['a space of another type', { source: { space: { $ne: null }, language: 'en' } }, 'body.source.space'],
    ['instructions of another type', { instructions: 'Be brief.' }, 'body.instructions'],
    ['no instructions but null', { instructions: null }, 'body.instructions'],
  ] as const)('refuses %s', async ([, fields, path], { organization, call }) => {
    const source = await buildSpace(organization);
    const body = { language: 'de', source: { space: source._id, language: 'en' }, ...fields };
    const spaces = await Space.countDocuments({ organization: organization._id });
    const answer = await call('POST', '', body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    expect(await Space.countDocuments({ organization: organization._id })).toBe(spaces);
  });

  it('refuses a source that is unknown, elsewhere, deleted or closed to the caller', async ({
    organization,
    admin,
    create,
  }) => {
    const elsewhere = await buildSpace((await buildOrganization()).organization);
    const deleted = await buildSpace(organization, { deletedAt: new Date() });
    const closed = await buildSpace(organization, { defaultLevel: null });
    const before = await Translation.countDocuments({});
    for (const space of ['nothing', elsewhere._id, deleted._id, closed._id]) {
      const { status, body } = await create(space);
      expect([status, body.error.details[0].path]).toEqual([400, 'body.source.space']);
    }
    expect(await Translation.countDocuments({})).toBe(before);
    expect((await create(closed._id, {}, admin)).status).toBe(201);
  });

  it('refuses a second translation of the same space into the same language', async ({
    organization,
    create,
  }) => {
    const source = await buildSpace(organization);
    expect((await create(source._id)).status).toBe(201);
    expect((await create(source._id, { source: { space: source._id, language: 'fr' } })).status).toBe(409);
    expect((await create(source._id, { language: 'fr' })).status).toBe(201);
  });

  it('creates one translation, space and job when fifty requests arrive at once', async ({
    organization,
    create,
  }) => {
    const source = await buildSpace(organization, { title: 'Fifty' });
    const counts = async () => [
      await Space.countDocuments({}),
      await Revision.countDocuments({}),
      await jobCollection().countDocuments({}),
    ];
    const before = await counts();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(source._id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 409),
    ]);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  it('creates all translations when requests for many languages arrive at once', async ({
    organization,
    create,
  }) => {
    const collection = await buildCollection(organization);
    const source = await buildSpace(organization, { parent: collection._id });
    const languages = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'sv', 'da'];
    const answers = await Promise.all(languages.map((language) => create(source._id, { language })));
    expect(answers.map(({ status }) => status)).toEqual(languages.map(() => 201));
    expect(await Space.countDocuments({ parent: collection._id })).toBe(languages.length + 1);
  });

  it('is carried out once for one Idempotency-Key', async ({ organization, creator, call }) => {
    const source = await buildSpace(organization);
    const json = { language: 'de', source: { space: source._id, language: 'en' } };
    const send = () => call('POST', '', json, creator, { 'idempotency-key': 'translation-once' });
    const first = await send();
    const again = await send();
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });

  it('needs organization.createContent', async ({ organization, reader, commenter, outsider, create }) => {
    const source = await buildSpace(organization);
    for (const user of [reader, commenter]) {
      const { status, body } = await create(source._id, {}, user);
      expect([status, body.error.message]).toEqual([
        403,
        expect.stringContaining('organization.createContent'),
      ]);
    }
    expect((await create(source._id, {}, outsider)).status).toBe(404);
  });
});

describe('GET /v1/orgs/{organizationId}/translations', () => {
  it('lists the translations of the organization for every member, newest first, page by page', async ({
    api,
    outsider,
  }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const space = await buildSpace(own);
    for (const language of ['de', 'fr', 'es']) await buildTranslation(space, { language });
    const list = (query: string, { token } = owner) =>
      api.call('GET', `/v1/orgs/${own._id}/translations${query}`, { token });
    const first = (await list('?limit=2', await buildMember(own, 'read'))).body;
    expect(first).toMatchObject({
      count: 3,
      items: [{ language: 'es', permissions: { view: true, edit: false } }, { language: 'fr' }],
    });
    const page = (await list('?limit=2')).body.next.page;
    expect((await list(`?limit=2&page=${page}`)).body).toMatchObject({
      count: 3,
      items: [{ language: 'de' }],
    });
    expect((await list('?limit=0')).body).toEqual({ count: 3, items: [] });
    for (const query of ['?limit=1001', '?page=x']) expect((await list(query)).status).toBe(400);
    expect((await list('', outsider)).status).toBe(404);
  });

  it('filters by source or result, and finds nothing by a space that the caller cannot view', async ({
    api,
  }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const [source, other] = [await buildSpace(own), await buildSpace(own)];
    const german = await buildTranslation(source, { language: 'de' });
    const result = await Space.findById(german.result.space).lean<SpaceRecord>().orFail();
    const onward = await buildTranslation(result, { language: 'fr' });
    await buildTranslation(other, { language: 'de' });
    const list = async (space: string, { token } = owner) => {
      const { body } = await api.call('GET', `/v1/orgs/${own._id}/translations?space=${space}&limit=1`, {
        token,
      });
      const next = body.next && `&page=${body.next.page}`;
      const more = next
        ? await api.call('GET', `/v1/orgs/${own._id}/translations?space=${space}${next}`, { token })
        : { body: { items: [] } };
      return [body.count, ...[...body.items, ...more.body.items].map(({ id }: { id: string }) => id)];
    };
    expect(await list(source._id)).toEqual([1, german._id]);
    expect(await list(result._id)).toEqual([2, onward._id, german._id]);
    expect(await list('unknown')).toEqual([0]);
    await Space.updateOne({ _id: result._id }, { $set: { defaultLevel: null } });
    await withTransaction(async (session) => refreshAccess([result._id], session));
    const member = await buildMember(own, 'read');
    expect(await list(source._id, member)).toEqual([1, german._id]);
    expect(await list(result._id, member)).toEqual([0]);
  });
});

describe('GET and DELETE /v1/orgs/{organizationId}/translations/{translationId}', () => {
  it('is visible to every member, and hidden from other organizations', async ({
    api,
    organization,
    admin,
    reader,
    commenter,
    outsider,
    call,
  }) => {
    const translation = await buildTranslation(await buildSpace(organization));
    for (const user of [reader, commenter])
      expect((await call('GET', `/${translation._id}`, undefined, user)).body.permissions).toEqual({
        view: true,
        edit: false,
      });
    expect((await call('GET', `/${translation._id}`, undefined, outsider)).status).toBe(404);
    const elsewhere = (await buildOrganization()).organization;
    expect(
      (
        await api.call('GET', `/v1/orgs/${elsewhere._id}/translations/${translation._id}`, {
          token: admin.token,
        })
      ).status,
    ).toBe(404);
    expect((await call('GET', '/nothing')).status).toBe(404);
  });

  it('is removed with its runs, and its result stays', async ({
    api,
    organization,
    admin,
    reader,
    commenter,
    outsider,
    call,
    create,
  }) => {
    const translation = await buildTranslation(await buildSpace(organization));
    for (const user of [reader, commenter])
      expect((await call('DELETE', `/${translation._id}`, undefined, user)).status).toBe(403);
    expect((await call('DELETE', `/${translation._id}`, undefined, outsider)).status).toBe(404);
    expect((await call('DELETE', `/${translation._id}`)).status).toBe(204);
    expect((await call('DELETE', `/${translation._id}`)).status).toBe(204);
    expect((await call('GET', `/${translation._id}`)).status).toBe(404);
    expect(await loadSpace(translation.result.space)).toMatchObject({ isDeleted: false });
    expect((await jobCollection().findOne({ _id: translation.job }))?.state).toBe('cancelled');
    expect((await api.call('GET', `/v1/jobs/${translation.job}`, { token: admin.token })).status).toBe(404);
    // The same can be made again.
    expect((await create(translation.source.space)).status).toBe(201);
  });

  it('stays when its source is deleted', async ({ organization, call }) => {
    const source = await buildSpace(organization);
    const translation = await buildTranslation(source);
    await changeSpace(source, { deletedAt: new Date() });
    expect((await call('GET', `/${translation._id}`)).body).toMatchObject({ source: { space: source._id } });
  });
});

import { createApiToken, Space, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { find, it, kinds, partsOfChangeRequest, partsOfMain } from '../../support/content/conflictsIt.ts';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import {
  buildChangeRequest,
  buildMember,
  buildOrganization,
  buildRevision,
} from '../../support/factories.ts';

describe('resolutions', () => {
  it.for([
    ['without revisions', ({ all }) => ({ revisions: undefined, resolutions: all }), 'body.revisions'],
    ['for some conflicts only', ({ all }) => ({ resolutions: all.slice(2) }), 'leave 2 conflicts'],
    ['for none', () => ({ resolutions: [] }), `leave ${kinds.length} conflicts`],
    [
      'of an unknown conflict',
      ({ all }) => ({ resolutions: [...all, { conflict: 'x.__proto__', take: 'main' }] }),
      'name x.__proto__',
    ],
    ['that repeat a conflict', ({ all }) => ({ resolutions: [...all, all[0]] }), 'once'],
    [
      'with a text for a title',
      ({ text }) => ({ resolutions: [text('titled title')], otherwise: 'main' }),
      'a text',
    ],
    [
      'with a text for metadata',
      ({ text }) => ({ resolutions: [text('text document frontmatter')], otherwise: 'main' }),
      'a text',
    ],
    [
      'without the text',
      ({ all }) => ({ resolutions: all.map((one) => ({ ...one, take: 'text' })) }),
      'text',
    ],
    [
      'with an unknown version',
      ({ all }) => ({ resolutions: all.map((one) => ({ ...one, take: 'theirs' })) }),
      'take',
    ],
    [
      'with a NUL in a text',
      ({ text }) => ({ resolutions: [text('text document', '\0')], otherwise: 'main' }),
      'text',
    ],
    [
      'with too long a text',
      ({ text }) => ({ resolutions: [text('text document', 'x'.repeat(100_001))], otherwise: 'main' }),
      'text',
    ],
    [
      'that are too many',
      () => ({
        resolutions: Array.from({ length: 1_001 }, (_, at) => ({ conflict: `x.${at}`, take: 'main' })),
      }),
      '1000',
    ],
  ] satisfies [string, (given: Given) => object, string][])(
    'are refused %s',
    async ([, bodyOf, message], { list, settle, current }) => {
      const listed = await list();
      const before = await current();
      const given: Given = {
        all: listed.conflicts.map(({ id }) => ({ conflict: id, take: 'main' })),
        text: (name, own = 'x') => ({ conflict: find(listed, name).id, take: 'text', text: own }),
      };
      const { status, text } = await settle({ revisions: listed.revisions, ...bodyOf(given) });
      expect(status).toBe(400);
      expect(text).toContain(message);
      expect(await current()).toEqual(before);
    },
  );

  it('are refused for conflicts of another change request', async ({ api, admin, list, settle, world }) => {
    const now = await Space.findById(world.space._id).orFail().lean<SpaceRecord>();
    const other = await buildChangeRequest(now, { status: 'open' });
    await editContent(other, (edit) => setFields(edit, 'titled', { title: 'Of another' }));
    await editContent(world.space, (edit) => setFields(edit, 'titled', { title: 'Of main again' }));
    const { revisions } = await list();
    const path = `/v1/spaces/${world.space._id}/change-requests/${other._id}/conflicts`;
    const { body } = await api.call('GET', path, { token: admin.token });
    const resolutions = [{ conflict: body.conflicts[0].id, take: 'main' }];
    expect((await settle({ revisions, resolutions, otherwise: 'main' })).status).toBe(400);
    expect((await settle({ revisions: body.revisions, resolutions })).status).toBe(409);
  });

  it.for(['main', 'change request'] as const)(
    'are refused when the %s has moved meanwhile, and nothing changes',
    async (which, { list, settle, current, world }) => {
      const { revisions } = await list();
      const place = which === 'main' ? world.space : world.changeRequest;
      await editContent(place, (edit) => setFields(edit, 'left', { title: 'Meanwhile' }));
      const before = await current();
      const { status, body } = await settle({ revisions, otherwise: 'main' });
      expect([status, body.error.message]).toEqual([
        409,
        expect.stringContaining(`the ${which === 'main' ? 'main content' : which} (now `),
      ]);
      expect(body.error.action).toContain('List the conflicts again');
      expect(await current()).toEqual(before);
      const again = await list();
      expect((await settle({ revisions: again.revisions, otherwise: 'main' })).body.result).toBe('update');
    },
  );

  it('are taken from one caller only when several send them at once', async ({ list, settle, partsOf }) => {
    const { revisions } = await list();
    const answers = await Promise.all(
      ['main', 'change-request', 'main', 'change-request'].map((otherwise) =>
        settle({ revisions, otherwise }),
      ),
    );
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409', '409', '409']);
    const done = answers.findIndex(({ status }) => status === 200);
    const parts = await partsOf(answers[done]!.body.revision);
    expect(parts).toEqual(done % 2 === 0 ? partsOfMain : partsOfChangeRequest);
  });

  it('and a concurrent merge do not mix', async ({ api, admin, list, settle, partsOf, place, world }) => {
    const { revisions } = await list();
    const [settled, merged] = await Promise.all([
      settle({ revisions, otherwise: 'main' }),
      api.call('POST', `${place}/merge`, { token: admin.token }),
    ]);
    expect(merged.status).toBe(200);
    const { revision } = await Space.findById(world.space._id).orFail().lean<SpaceRecord>();
    const parts = await partsOf(revision);
    if (settled.status === 200) expect(parts).toEqual(partsOfMain);
    else expect([settled.status, merged.body.result]).toEqual([409, 'conflicts']);
  });

  it('need the permission to edit, and the list of conflicts the permission to read', async ({
    api,
    list,
    place,
    reader,
    admin,
  }) => {
    const { revisions } = await list();
    const send = async (token: string) => [
      (await api.call('GET', `${place}/conflicts`, { token })).status,
      (await api.call('POST', `${place}/update`, { token, json: { revisions, otherwise: 'main' } })).status,
    ];
    const stranger = await buildMember((await buildOrganization()).organization, 'admin');
    expect(await send(stranger.token)).toEqual([404, 404]);
    expect(await send(reader.token)).toEqual([200, 403]);
    const { token } = await createApiToken({ userId: admin.user._id, label: 'reads', scopes: ['read'] });
    expect(await send(token)).toEqual([200, 403]);
  });

  it('honour If-Match and Idempotency-Key', async ({ api, admin, list, settle, place }) => {
    const { revisions } = await list();
    const { headers } = await api.call('GET', place, { token: admin.token });
    const json = { revisions, otherwise: 'main' };
    expect((await settle(json, { 'if-match': '"old"' })).status).toBe(412);
    const conditions = { 'if-match': headers.get('etag') ?? '', 'idempotency-key': 'once' };
    const first = await settle(json, conditions);
    expect([first.status, (await settle(json, conditions)).body]).toEqual([200, first.body]);
    const other = await settle({ revisions, otherwise: 'change-request' }, conditions);
    expect(other.status).toBe(422);
  });
});

type Given = {
  all: { conflict: string; take: string }[];
  text: (name: string, own?: string) => { conflict: string; take: string; text: string };
};

it('a thousand conflicts are settled in seconds', async ({ api, admin, organization, world }) => {
  const { space } = world;
  const textOf = (name: string) =>
    Array.from({ length: 10 }, (_, at) => `Block ${at} with words of ${name}.`).join('\n\n');
  const ids = Array.from({ length: 100 }, (_, at) => `many${at}`);
  await buildRevision(space, { pages: ids.map((id) => ({ id, title: id, source: textOf('the base') })) });
  const now = await Space.findById(space._id).orFail().lean<SpaceRecord>();
  const changeRequest = await buildChangeRequest(now, { status: 'open' });
  for (const [place, name] of [
    [now, 'main'],
    [changeRequest, 'own'],
  ] as const) {
    const document = await storeSource(organization._id, textOf(name));
    await editContent(place, (edit) => ids.forEach((id) => setFields(edit, id, { document })));
  }
  const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
  const { body } = await api.call('GET', `${path}/conflicts?limit=1000`, { token: admin.token });
  expect([body.conflicts.length, body.more]).toEqual([1_000, undefined]);
  const resolutions = body.conflicts.map(({ id }: { id: string }, at: number) => ({
    conflict: id,
    take: at % 2 === 0 ? 'main' : 'change-request',
  }));
  const json = { revisions: body.revisions, resolutions };
  const settled = await api.call('POST', `${path}/update`, { token: admin.token, json });
  expect(settled.body).toMatchObject({ result: 'update' });
  const { body: page } = await api.call('GET', `${path}/content/page/many7?format=markdown`, {
    token: admin.token,
  });
  expect(page.markdown.match(/of main/g)).toHaveLength(5);
});

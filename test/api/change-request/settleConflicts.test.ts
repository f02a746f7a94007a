import type { ChangeRequestConflict, ChangeRequestConflicts } from '@bindery/contract';
import { ChangeRequest, createApiToken, Revision, Space, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildConflictingContent, conflictingParts } from '../../support/content/conflictingContent.ts';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import {
  buildChangeRequest,
  buildMember,
  buildOrganization,
  buildRevision,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('world', ({ organization }) => buildConflictingContent(organization))
  .extend('place', ({ world: { space, changeRequest } }) => {
    return `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
  })
  .extend('list', ({ api, admin, place }) => async (limit?: number): Promise<ChangeRequestConflicts> => {
    const query = limit === undefined ? '' : `?limit=${limit}`;
    const { status, body } = await api.call('GET', `${place}/conflicts${query}`, { token: admin.token });
    expect(status).toBe(200);
    return body;
  })
  .extend('settle', ({ api, admin, place }) => async (json: object, headers: Record<string, string> = {}) => {
    return api.call('POST', `${place}/update`, { token: admin.token, json, headers });
  })
  .extend(
    'partsOf',
    ({ world }) =>
      async (revision: string) =>
        conflictingParts(world.space._id, revision),
  )
  .extend('current', ({ world }) => async () => {
    const found = await ChangeRequest.findById(world.changeRequest._id).orFail();
    return [
      found.revision,
      found.revisionMergedAncestor,
      await Revision.countDocuments({ space: world.space._id }),
    ];
  });

const named = ({ page, file, reusableContent, variable, redirect, field, block }: ChangeRequestConflict) =>
  `${page ?? file ?? reusableContent ?? variable ?? redirect} ${field}${block === 'frontmatter' || block === 'target' ? ` ${block}` : ''}`;
const kinds = [
  ...['text document', 'text document frontmatter', 'titled title', 'slug slug', 'moved position'],
  ...[
    'link document target',
    'cut deleted',
    'below deleted',
    'kept deleted',
    'file value',
    'dropped deleted',
  ],
  ...['shared title', 'shared document', 'gone deleted', 'version value', 'from value'],
];
const find = ({ conflicts }: ChangeRequestConflicts, name: string) =>
  conflicts.find((conflict) => named(conflict) === name) ?? expect.fail(name);

const partsOfMain = {
  text: 'One.\n\nTwo of main.\n\n- z\n- b\n- c\n- z\n',
  description: 'main',
  title: 'Of main',
  heading: '# Of main',
  path: 'main',
  movedInto: 'left',
  movedPath: 'left/moved',
  target: 'https://example.org/main',
  cut: 'Edited in main.\n',
  below: 'Below in main',
  belowPath: 'cut/below',
  kept: undefined,
  files: ['file 1', 'dropped 1'],
  shared: ['Shared by main', 'Shared by main.\n'],
  gone: undefined,
  variable: 'main',
  redirect: 'main',
};
const partsOfChangeRequest = {
  text: 'One.\n\nTwo of own.\n\n- z\n- b\n- c\n- z\n',
  description: 'own',
  title: 'Of own',
  heading: '# Of own',
  path: 'own',
  movedInto: 'right',
  movedPath: 'right/moved',
  target: 'https://example.org/own',
  cut: undefined,
  below: undefined,
  belowPath: undefined,
  kept: 'Edited in own.\n',
  files: ['file 2'],
  shared: ['Shared by own', 'Shared by own.\n'],
  gone: 'Not gone',
  variable: 'own',
  redirect: 'own',
};

describe('the conflicts of a change request', () => {
  it('are listed with all versions, and listing changes nothing', async ({ list, current }) => {
    const before = await current();
    const listed = await list();
    expect(listed.conflicts.map(named).toSorted()).toEqual(kinds.toSorted());
    expect(find(listed, 'text document')).toMatchObject({
      ...{ title: 'Text', path: 'text', base: 'Two.', main: 'Two of main.' },
      ...{ changeRequest: 'Two of own.', merged: 'Two of own.' },
    });
    expect(find(listed, 'cut deleted')).toMatchObject({ main: 'Edited in main.\n', changeRequest: null });
    expect(find(listed, 'titled title')).not.toHaveProperty('merged');
    expect(await list()).toEqual(listed);
    expect(await current()).toEqual(before);
  });

  it('have a limit, and the others are counted', async ({ list }) => {
    const { conflicts, more } = await list(3);
    expect([conflicts.length, more]).toEqual([3, kinds.length - 3]);
  });

  it('are those of an update without resolutions', async ({ list, settle }) => {
    const { conflicts } = await list();
    const { body } = await settle({});
    expect(body.result).toBe('conflicts');
    const texts = ({ page, field, main, changeRequest }: ChangeRequestConflict) => [
      page,
      field,
      changeRequest,
      main,
    ];
    expect(
      body.conflicts.map(({ page, field, ours, theirs }: Record<string, unknown>) => [
        page,
        field,
        ours,
        theirs,
      ]),
    ).toEqual(conflicts.map(texts));
    expect((await list()).conflicts).toEqual([]);
  });

  it('are none after a merge: it is final', async ({ api, admin, place }) => {
    await api.call('POST', `${place}/merge`, { token: admin.token });
    expect((await api.call('GET', `${place}/conflicts`, { token: admin.token })).status).toBe(409);
  });
});

describe('an update that settles conflicts', () => {
  it.for([
    ['main', partsOfMain],
    ['change-request', partsOfChangeRequest],
  ] as const)(
    'takes %s for each of them, by name or all at once, and a merge meets none',
    async ([take, parts], { api, admin, organization, list, settle, partsOf, place, world }) => {
      const { revisions, conflicts } = await list();
      const { status, body } = await settle({ revisions, otherwise: take });
      expect([status, body]).toEqual([200, { revision: expect.any(String), result: 'update' }]);
      expect(await partsOf(body.revision)).toEqual(parts);
      const found = await ChangeRequest.findById(world.changeRequest._id).orFail();
      expect(found).toMatchObject({ revision: body.revision, revisionMergedAncestor: revisions.main });
      expect((await list()).conflicts).toEqual([]);
      const merged = await api.call('POST', `${place}/merge`, { token: admin.token });
      expect(merged.body).toMatchObject({ result: 'merge' });
      expect(await partsOf(merged.body.revision)).toEqual(parts);

      const other = await buildConflictingContent(organization);
      const path = `/v1/spaces/${other.space._id}/change-requests/${other.changeRequest.number}`;
      const same: ChangeRequestConflicts = (
        await api.call('GET', `${path}/conflicts`, { token: admin.token })
      ).body;
      const resolutions = same.conflicts.map(({ id }) => ({ conflict: id, take }));
      expect(same.conflicts.map(({ id }) => id)).not.toEqual(conflicts.map(({ id }) => id));
      const json = { revisions: same.revisions, resolutions };
      const byName = (await api.call('POST', `${path}/update`, { token: admin.token, json })).body;
      expect(byName.result).toBe('update');
      expect(await conflictingParts(other.space._id, byName.revision)).toEqual(parts);
    },
  );

  it('takes a version for each, and a text of its own for blocks', async ({ list, settle, partsOf }) => {
    const listed = await list();
    const take = (name: string, version: string) => ({ conflict: find(listed, name).id, take: version });
    const own = (name: string, text: string) => ({ ...take(name, 'text'), text });
    const { body } = await settle({
      revisions: listed.revisions,
      otherwise: 'change-request',
      resolutions: [
        own('text document', 'Two of **both**.\r\n\r\nThree.\n'),
        own('shared document', 'Ours </script>.'),
        ...[
          'text document frontmatter',
          'moved position',
          'cut deleted',
          'dropped deleted',
          'link document target',
        ].map((name) => take(name, 'main')),
      ],
    });
    expect(await partsOf(body.revision)).toEqual({
      ...partsOfChangeRequest,
      text: 'One.\n\nTwo of **both**.\n\nThree.\n\n- z\n- b\n- c\n- z\n',
      shared: ['Shared by own', 'Ours </script>.\n'],
      ...{
        description: 'main',
        movedInto: 'left',
        movedPath: 'left/moved',
        target: 'https://example.org/main',
      },
      ...{ cut: 'Edited in main.\n', files: ['file 2', 'dropped 1'] },
    });
  });

  it('moves pages that stay up when the page above them is removed', async ({ list, settle, partsOf }) => {
    const listed = await list();
    const take = (name: string, version: string) => ({ conflict: find(listed, name).id, take: version });
    const resolutions = [take('cut deleted', 'change-request'), take('below deleted', 'main')];
    const { body } = await settle({ revisions: listed.revisions, resolutions, otherwise: 'main' });
    expect(await partsOf(body.revision)).toEqual({ ...partsOfMain, cut: undefined, belowPath: 'below' });
  });

  it('removes a block for an empty text', async ({ list, settle, partsOf }) => {
    const listed = await list();
    const resolutions = [{ conflict: find(listed, 'text document').id, take: 'text', text: '\n' }];
    const { body } = await settle({ revisions: listed.revisions, resolutions, otherwise: 'main' });
    expect((await partsOf(body.revision))['text']).toBe('One.\n\n- z\n- b\n- c\n- z\n');
  });
});

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

  it('of another change request are refused', async ({ api, admin, list, settle, world }) => {
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

  it('of two callers at once are those of one of them', async ({ list, settle, partsOf }) => {
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

  it('and a merge at once do not mix', async ({ api, admin, list, settle, partsOf, place, world }) => {
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

  it('are for those who may edit, and the list for those who may read', async ({
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

  it('obey If-Match and repeat with an idempotency key', async ({ api, admin, list, settle, place }) => {
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

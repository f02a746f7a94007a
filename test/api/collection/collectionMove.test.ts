import { Collection, Space, type CollectionRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

// Collections and spaces share one order, and one rule for moving: both are tried on everything.

type Kind = 'collection' | 'space';
const pointer = (one: CollectionRecord | SpaceRecord) =>
  'revision' in one ? { type: 'space', space: one._id } : { type: 'collection', collection: one._id };

/** The titles of the items in a place, in order. */
async function orderIn(siblingsOf: string): Promise<string> {
  const found = [
    ...(await Collection.find({ siblingsOf }).lean<CollectionRecord[]>()),
    ...(await Space.find({ siblingsOf, isDeleted: false }).lean<SpaceRecord[]>()),
  ];
  return found
    .toSorted((a, b) => (a.position < b.position ? -1 : 1))
    .map(({ title }) => title)
    .join('');
}

const it = base
  /** The kind of what is moved: each describe says it. */
  .extend('kind', 'collection' as Kind)
  .extend(
    'build',
    ({ organization }) =>
      (kind: Kind, fields: { title: string; parent?: string }) =>
        kind === 'space' ? buildSpace(organization, fields) : buildCollection(organization, fields),
  )
  .extend('parent', ({ organization }) => buildCollection(organization, { title: 'P' }))
  /** A to D in the parent, where A and C are spaces, B and D collections; M stands at the root. */
  .extend('others', async ({ build, parent }) => {
    const others: Record<string, CollectionRecord | SpaceRecord> = {};
    for (const title of ['A', 'B', 'C', 'D'])
      others[title] = await build('AC'.includes(title) ? 'space' : 'collection', {
        title,
        parent: parent._id,
      });
    return others;
  })
  .extend('moved', ({ kind, build, others: _made }) => build(kind, { title: 'M' }))
  .extend(
    'move',
    ({ api, admin }) =>
      (kind: Kind, { _id }: { _id: string }, json?: unknown, { token } = admin) =>
        api.call('POST', `/v1/${kind}s/${_id}/move`, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'at',
    ({ others }) =>
      (title: string) =>
        pointer(others[title] as SpaceRecord),
  );

describe.each(['collection', 'space'] as const)('POST /v1/%ss/{id}/move', (kind) => {
  it.override('kind', kind);

  it('moves it to the end of another parent', async ({ organization, parent, moved, move }) => {
    const { status, body } = await move(kind, moved, { parent: parent._id });
    expect([status, body.object, body.id, body.parent]).toEqual([200, kind, moved._id, parent._id]);
    expect(await orderIn(parent._id)).toBe('ABCDM');
    const back = await move(kind, moved, { parent: null });
    expect(back.status).toBe(200);
    expect(back.body).not.toHaveProperty('parent');
    expect(await orderIn(parent._id)).toBe('ABCD');
    expect(await orderIn(organization._id)).toBe('PM');
  });

  it.for([
    [{ before: 'A' }, 'MABCD', 'MNABCD'],
    [{ before: 'C' }, 'ABMCD', 'ABMNCD'],
    [{ after: 'A' }, 'AMBCD', 'ANMBCD'],
    [{ after: 'D' }, 'ABCDM', 'ABCDNM'],
    [{ after: 'B', before: 'C' }, 'ABMCD', 400],
    [{}, 'ABCDM', 409],
  ] as [{ before?: string; after?: string }, string, string | number][])(
    'moves it to %j: %s, then another item to the same position: %s',
    async ([{ before, after }, expected, expectedThen], { parent, build, moved, move, at }) => {
      const position = { ...(before && { before: at(before) }), ...(after && { after: at(after) }) };
      expect((await move(kind, moved, { parent: parent._id, position })).status).toBe(200);
      expect(await orderIn(parent._id)).toBe(expected);
      const { status } = await move(kind, await build(kind, { title: 'N', parent: parent._id }), {
        position,
      });
      expect(status === 200 ? await orderIn(parent._id) : status).toBe(expectedThen);
    },
  );

  it('answers 409 when nothing would change', async ({ parent, moved, move, at }) => {
    await move(kind, moved, { parent: parent._id, position: { before: at('B') } });
    for (const json of [
      undefined,
      {},
      { position: {} },
      { parent: parent._id },
      { position: { before: at('B') } },
      { position: { after: at('A') } },
      { parent: parent._id, position: { after: at('A'), before: at('B') } },
    ]) {
      const { status, body } = await move(kind, moved, json);
      expect([status, body.error?.type], JSON.stringify(json)).toEqual([409, 'conflict']);
    }
    expect(await orderIn(parent._id)).toBe('AMBCD');
  });

  it('refuses neighbours that are not adjacent in the new parent, and changes nothing', async ({
    organization,
    parent,
    others,
    moved,
    move,
    at,
  }) => {
    const elsewhere = await buildSpace(organization, { title: 'E' });
    const deleted = await changeSpace(await buildSpace(organization, { title: 'X', parent: parent._id }), {
      deletedAt: new Date(),
    });
    const foreign = await buildSpace((await buildOrganization()).organization);
    const wrongKind = { type: 'collection', collection: (others.A as SpaceRecord)._id };
    for (const position of [
      { before: pointer(elsewhere) },
      { after: pointer(deleted) },
      { after: pointer(foreign) },
      { before: { type: 'space', space: 'nothing' } },
      { before: pointer(moved) },
      { before: wrongKind },
      // Not next to each other, in that order.
      { after: at('A'), before: at('C') },
      { after: at('B'), before: at('A') },
      { after: at('A'), before: at('A') },
      { before: { type: 'page', page: 'x' } },
      { before: { type: 'space' } },
      { before: null },
      'end',
    ]) {
      const { status, body } = await move(kind, moved, { parent: parent._id, position });
      expect(
        [status, body.error?.details[0].path.startsWith('body.position')],
        JSON.stringify(position),
      ).toEqual([400, true]);
    }
    expect(await orderIn(parent._id)).toBe('ABCD');
    expect((await move(kind, moved, { position: null })).status).toBe(400);
  });

  it('refuses parents that are unknown, foreign or not a collection', async ({ others, moved, move }) => {
    const foreign = await buildCollection((await buildOrganization()).organization);
    for (const id of ['nothing', '', 7, foreign._id, (others.A as SpaceRecord)._id]) {
      const { status, body } = await move(kind, moved, { parent: id });
      expect([status, body.error?.details[0].path], `${id}`).toEqual([400, 'body.parent']);
    }
  });

  it('needs an admin of it', async ({ organization, parent, moved, move }) => {
    const creator = await buildMember(organization, 'create');
    expect((await move(kind, moved, { parent: parent._id }, creator)).status).toBe(403);
    expect(
      (await move(kind, moved, { parent: parent._id }, await buildMember(organization, null))).status,
    ).toBe(404);
  });

  it('also needs collection.create or organization.createContent at the destination', async ({
    organization,
    parent,
    moved,
    move,
  }) => {
    const guest = await buildMember(organization, null);
    const place =
      kind === 'space' ? { space: moved as SpaceRecord } : { collection: moved as CollectionRecord };
    await buildGrant(place, guest, 'admin');
    // A parent that the guest cannot view does not exist for it; one that it views takes `collection.create`.
    expect((await move(kind, moved, { parent: parent._id }, guest)).status).toBe(400);
    await buildGrant({ collection: parent }, guest, 'review');
    const refused = await move(kind, moved, { parent: parent._id }, guest);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('collection.create'),
    ]);
    const better = await buildCollection(organization, { title: 'Q' });
    await buildGrant({ collection: better }, guest, 'create');
    expect((await move(kind, moved, { parent: better._id }, guest)).body).toMatchObject({
      parent: better._id,
      permissions: { admin: true },
    });
    const toRoot = await move(kind, moved, { parent: null }, guest);
    expect([toRoot.status, toRoot.body.error.message]).toEqual([
      403,
      expect.stringContaining('organization.createContent'),
    ]);
    const creator = await buildMember(organization, 'create');
    await buildGrant(place, creator, 'admin');
    expect((await move(kind, moved, { parent: null }, creator)).status).toBe(200);
    // In its own place nobody arranges anything who may not create there.
    expect((await move(kind, moved, { position: { before: pointer(parent) } }, guest)).status).toBe(403);
  });

  it('gives the same error for a hidden neighbour as for an unknown one', async ({
    organization,
    parent,
    moved,
    move,
  }) => {
    const closed = await buildSpace(organization, { title: 'Z', parent: parent._id, defaultLevel: null });
    const creator = await buildMember(organization, 'create');
    await buildGrant(
      kind === 'space' ? { space: moved as SpaceRecord } : { collection: moved as CollectionRecord },
      creator,
      'admin',
    );
    const ofClosed = await move(
      kind,
      moved,
      { parent: parent._id, position: { after: pointer(closed) } },
      creator,
    );
    const ofNothing = await move(
      kind,
      moved,
      { parent: parent._id, position: { after: { type: 'space', space: 'nothing' } } },
      creator,
    );
    expect(ofClosed.status).toBe(400);
    expect(ofClosed.body.error.message).toBe(ofNothing.body.error.message);
  });

  it('inherits the level and the grants of its new parent', async ({ api, organization, moved, move }) => {
    const guest = await buildMember(organization, null);
    const reader = await buildMember(organization, 'read');
    const closed = await buildCollection(organization, { title: 'closed', defaultLevel: null });
    await buildGrant({ collection: closed }, guest, 'comment');
    const seenBy = async ({ token }: TestUser) =>
      (await api.call('GET', `/v1/${kind}s/${moved._id}`, { token })).status;
    expect([await seenBy(reader), await seenBy(guest)]).toEqual([200, 404]);
    expect((await move(kind, moved, { parent: closed._id })).body.defaultLevel).toBeNull();
    expect([await seenBy(reader), await seenBy(guest)]).toEqual([404, 200]);
    expect((await move(kind, moved, { parent: null })).body.defaultLevel).toBe('read');
    expect([await seenBy(reader), await seenBy(guest)]).toEqual([200, 404]);
  });
});

describe('moving a collection', () => {
  it('moves everything below it too', async ({ organization, move }) => {
    const from = await buildCollection(organization, { defaultLevel: 'edit' });
    const top = await buildCollection(organization, { parent: from._id });
    const inner = await buildCollection(organization, { parent: top._id });
    const space = await buildSpace(organization, { parent: inner._id });
    const deleted = await changeSpace(await buildSpace(organization, { parent: inner._id }), {
      deletedAt: new Date(),
    });
    const to = await buildCollection(organization, { defaultLevel: null });
    const below = await buildCollection(organization, { parent: to._id });
    expect((await move('collection', top, { parent: below._id })).status).toBe(200);
    const expected = [to._id, below._id, top._id, inner._id];
    expect((await Collection.findById(inner._id).lean())?.ancestors).toEqual(expected.slice(0, 3));
    for (const { _id } of [space, deleted])
      expect(await Space.findById(_id).lean()).toMatchObject({
        ancestors: expected,
        access: { level: null },
      });
  });

  it('refuses to move it into itself or below itself', async ({ organization, move }) => {
    const top = await buildCollection(organization, { title: 'T' });
    const inner = await buildCollection(organization, { title: 'I', parent: top._id });
    const deep = await buildCollection(organization, { title: 'D', parent: inner._id });
    for (const { _id } of [top, inner, deep]) {
      const { status, body } = await move('collection', top, { parent: _id });
      expect([status, body.error.details[0].path]).toEqual([400, 'body.parent']);
    }
    expect(await orderIn(organization._id)).toBe('T');
  });

  it('refuses a move that exceeds the limit of nesting', async ({ organization, move }) => {
    const long = await buildCollection(organization, {
      ancestors: Array.from({ length: 97 }, (_, i) => `c${i}`),
    });
    const top = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: top._id });
    expect((await move('collection', top, { parent: long._id })).status).toBe(200);
    await move('collection', top, { parent: null });
    await buildCollection(organization, { parent: inner._id });
    expect((await move('collection', top, { parent: long._id })).status).toBe(400);
  });
});

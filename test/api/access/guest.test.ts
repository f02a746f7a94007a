import { Space, Translation } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildComment,
  buildGrant,
  buildMember,
  buildMembership,
  buildOrganization,
  buildRevision,
  buildSpace,
  buildSpec,
  buildSpecVersion,
  buildTranslation,
  changeSpace,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

// A guest sees what was granted to it, and what it needs to use that.

const operation = (spec: string) => [
  { id: 'p', path: 'p', source: `# P\n\n{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n` },
];

const it = base
  .extend('guest', ({ organization }) => buildMember(organization, null))
  .extend('reader', ({ organization }) => buildMember(organization, 'read'))
  .extend('granted', async ({ organization, guest }) => {
    const space = await buildSpace(organization, { title: 'Granted', defaultLevel: null });
    await buildGrant({ space }, guest, 'read');
    return space;
  })
  .extend(
    'call',
    ({ api, guest, organization }) =>
      (path: string, { token } = guest, method = 'GET', json?: object) =>
        api.call(method, path.startsWith('/') ? `/v1${path}` : `/v1/orgs/${organization._id}/${path}`, {
          token,
          ...(json && { json }),
        }),
  )
  .extend('idsOf', ({ call }) => async (path: string, by?: { token: string }): Promise<string[]> => {
    const { body } = await call(path, by as never);
    expect(body.count).toBe(body.items.length);
    return body.items.map(({ id }: { id: string }) => id);
  });

describe('e-mail addresses', () => {
  it('are visible to members; guests see names, and their own address', async ({
    organization,
    admin,
    guest,
    reader,
    granted,
    call,
  }) => {
    await buildComment({ space: granted }, { postedBy: reader.user._id });
    const paths = [
      'members',
      `members/${reader.user._id}`,
      `/users/${reader.user._id}`,
      `/spaces/${granted._id}/comments`,
    ];
    for (const path of paths) {
      expect((await call(path)).text).not.toContain(reader.user.email);
      expect((await call(path)).text).toContain(reader.user._id);
      expect((await call(path, admin)).text).toContain(reader.user.email);
    }
    expect((await call(`members/${guest.user._id}`)).body.user.email).toBe(guest.user.email);
    expect((await call(`/users/${guest.user._id}`)).body.email).toBe(guest.user.email);
    // Somebody who is a member together with them elsewhere sees them.
    const { organization: other } = await buildOrganization();
    for (const one of [guest, reader]) await buildMembership(other, one, 'read');
    expect((await call(`/users/${reader.user._id}`)).body.email).toBe(reader.user.email);
    expect((await call(`/orgs/${organization._id}/members`)).text).not.toContain(reader.user.email);
  });

  it('cannot be guessed by guests through the member search', async ({ reader, idsOf }) => {
    const [name] = reader.user.email?.split('@') ?? [];
    expect(await idsOf(`members?search=${name}`)).toEqual([]);
    expect(await idsOf(`members?search=${reader.user.displayName}`)).toContain(reader.user._id);
    expect(await idsOf(`members?search=${name}`, reader)).toEqual([reader.user._id]);
  });

  it('stay in their organization when a space leaves it', async ({ organization, admin, reader, call }) => {
    const space = await buildSpace(organization);
    await buildComment({ space }, { postedBy: reader.user._id });
    const { organization: to, admin: other } = await buildOrganization();
    await buildMembership(to, admin, 'create');
    expect(
      (await call(`/spaces/${space._id}/transfer`, admin, 'POST', { organization: to._id })).status,
    ).toBe(200);
    const { text } = await call(`/spaces/${space._id}/comments`, other);
    expect(text).toContain(reader.user.displayName);
    expect(text).not.toContain(reader.user.email);
  });
});

describe('translations', () => {
  it('are visible to users who can view the source space, and their jobs to the members among them', async ({
    organization,
    admin,
    guest,
    reader,
    granted,
    call,
    idsOf,
  }) => {
    const closed = await buildSpace(organization, { defaultLevel: null });
    const open = await buildSpace(organization);
    const [ofClosed, ofOpen, ofGranted] = [
      await buildTranslation(closed),
      await buildTranslation(open),
      await buildTranslation(granted),
    ];
    expect(await idsOf('translations')).toEqual([ofGranted._id]);
    expect(await idsOf('translations', reader)).toEqual([ofOpen._id]);
    expect(await idsOf('translations', admin)).toEqual([ofGranted._id, ofOpen._id, ofClosed._id]);
    const statuses = async (by: typeof guest, path: (one: typeof ofOpen) => string) =>
      Promise.all([ofClosed, ofOpen, ofGranted].map(async (one) => (await call(path(one), by)).status));
    expect(await statuses(guest, ({ _id }) => `translations/${_id}`)).toEqual([404, 404, 200]);
    expect(await statuses(reader, ({ _id }) => `translations/${_id}`)).toEqual([404, 200, 404]);
    expect(await statuses(reader, ({ job }) => `/jobs/${job}`)).toEqual([404, 200, 404]);
    expect(await statuses(guest, ({ job }) => `/jobs/${job}`)).toEqual([404, 404, 404]);
    expect(await idsOf('jobs')).toEqual([]);
    expect(await idsOf('jobs', reader)).toEqual([ofOpen.job]);
  });

  it('hide a result space that the caller cannot view', async ({ organization, reader, call }) => {
    const translation = await buildTranslation(await buildSpace(organization));
    await Translation.updateOne({ _id: translation._id }, { $set: { 'result.revision': 'r' } });
    const result = async () => (await call(`translations/${translation._id}`, reader)).body.result;
    expect(await result()).toMatchObject({ space: translation.result.space });
    const space = await Space.findById(translation.result.space).lean();
    await changeSpace(space!, { defaultLevel: null });
    expect(await result()).toBeUndefined();
  });
});

describe('API specifications', () => {
  it('are visible to guests when they are public or shown in a space that the guest can read', async ({
    organization,
    reader,
    granted,
    call,
    idsOf,
  }) => {
    const [open, shown, elsewhere] = [
      await buildSpec(organization, { visibility: 'public' }),
      await buildSpec(organization),
      await buildSpec(organization),
    ];
    for (const spec of [open, shown, elsewhere]) await buildSpecVersion(spec);
    await buildRevision(granted, { pages: operation(shown.slug) });
    await buildRevision(await buildSpace(organization), { pages: operation(elsewhere.slug) });
    expect((await idsOf('openapi')).toSorted()).toEqual([open._id, shown._id].toSorted());
    expect(await idsOf('openapi', reader)).toHaveLength(3);
    for (const path of [
      '',
      '/versions',
      '/versions/latest',
      '/versions/latest/content',
      '/versions/latest/content/raw',
    ]) {
      const statuses = [open, shown, elsewhere].map(
        async ({ slug }) => (await call(`openapi/${slug}${path}`)).status,
      );
      expect([path, ...(await Promise.all(statuses))]).toEqual([path, 200, 200, 404]);
    }
    expect((await call(`/jobs/${shown.job}`)).status).toBe(404);
  });

  it('are visible to a guest with more than 100 spaces only while one of these spaces shows them', async ({
    organization,
    guest,
    call,
    idsOf,
  }) => {
    const collection = await buildCollection(organization, { defaultLevel: null });
    await buildGrant({ collection }, guest, 'read');
    const [oldest, next] = [
      await buildSpace(organization, { parent: collection._id }),
      await buildSpace(organization, { parent: collection._id }),
    ];
    for (let i = 0; i < 100; i += 1) await buildSpace(organization, { parent: collection._id });
    const [spec, byId, linked, computed] = [
      await buildSpec(organization),
      await buildSpec(organization),
      await buildSpec(organization),
      await buildSpec(organization),
    ];
    const source = `[API](/openapi/${linked.slug})\n`;
    await buildRevision(oldest, {
      pages: [...operation(spec.slug), { id: 'q', path: 'q', source: operation(byId._id)[0]!.source }],
    });
    const ref = { kind: 'openapi' as const, spec: computed.slug };
    const made = {
      type: 'builtin:openapi' as const,
      props: { models: true },
      dependencies: { spec: { ref } },
    };
    await buildRevision(next, {
      pages: [
        { id: 'l', path: 'l', source },
        { id: 'c', type: 'computed', title: 'API', computed: made } as never,
      ],
    });
    const statusOf = async ({ slug }: { slug: string }) => (await call(`openapi/${slug}`)).status;
    const all = [spec, byId, linked, computed];
    expect(await Promise.all(all.map(statusOf))).toEqual([200, 200, 200, 200]);
    expect((await idsOf('openapi')).toSorted()).toEqual(all.map(({ _id }) => _id).toSorted());
    await buildRevision(oldest, { pages: operation('another') });
    expect(await Promise.all(all.map(statusOf))).toEqual([404, 404, 200, 200]);
    expect((await idsOf('openapi')).toSorted()).toEqual([linked._id, computed._id].toSorted());
  });

  it('stay hidden from a guest who names them in a space that the guest can edit', async ({
    organization,
    guest,
    call,
    idsOf,
  }) => {
    const spec = await buildSpec(organization);
    await buildSpecVersion(spec);
    const own = await buildSpace(organization, { defaultLevel: null });
    await buildGrant({ space: own }, guest, 'edit');
    await buildRevision(own, { pages: operation(spec.slug) });
    expect(await idsOf('openapi')).toEqual([]);
    expect((await call(`openapi/${spec.slug}/versions/latest/content`)).status).toBe(404);
    expect((await call(`/spaces/${own._id}/content/page/p/links`)).text).not.toContain(spec._id);
    const ref = { kind: 'openapi', spec: spec.slug };
    const source = { type: 'builtin:openapi', props: { doc: 'models' }, dependencies: { spec: { ref } } };
    const computed = await call(`/spaces/${own._id}/content/computed/document`, guest, 'POST', {
      source,
      seed: 's',
    });
    expect([computed.status, computed.text]).toEqual([
      400,
      expect.stringContaining('names no specification'),
    ]);
  });

  it('cannot be told from missing specifications by the error of a write', async ({
    organization,
    guest,
    call,
  }) => {
    const { slug } = await buildSpec(organization);
    const put = async (name: string) => {
      const { status, body } = await call(`openapi/${name}`, guest, 'PUT', { source: { text: '{}' } });
      return [status, body.error.message];
    };
    expect(await put(slug)).toEqual(await put('nothing'));
  });

  it('cause the same database commands as missing ones, so that response times reveal nothing', async ({
    organization,
    granted,
    call,
  }) => {
    const shown = await buildSpec(organization, { visibility: 'public' });
    await buildRevision(granted, { pages: operation(shown.slug) });
    const hidden = await buildSpec(organization);
    await buildSpecVersion(hidden);
    // The first look at a space notes what it mentions.
    await call('openapi');
    for (const path of ['', '/versions/latest/content']) {
      const commands = async (slug: string) => {
        const seen: string[] = [];
        Space.base.set(
          'debug',
          (collection: string, method: string) => void seen.push(`${collection} ${method}`),
        );
        const { status } = await call(`openapi/${slug}${path}`);
        Space.base.set('debug', false);
        expect([status, seen.length > 0]).toEqual([404, true]);
        return seen.toSorted();
      };
      expect(await commands('nothing')).toEqual(await commands(hidden.slug));
    }
  });
});

it('the glossary is visible to members and hidden from guests', async ({
  admin,
  guest,
  reader,
  call,
  idsOf,
}) => {
  const operations = [{ type: 'insert', translations: { en: 'Bindery' } }];
  expect((await call('translations-glossary', admin, 'PUT', { operations })).status).toBe(204);
  const [entry] = await idsOf('translations-glossary', reader);
  expect(await idsOf('translations-glossary', guest)).toEqual([]);
  expect((await call(`translations-glossary/${entry}`)).status).toBe(404);
  expect((await call(`translations-glossary/${entry}`, reader)).status).toBe(200);
});

import { OutboxEvent, Site, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { SignJWT } from 'jose';
import { expect } from 'vitest';
import { readEvents } from '../../support/http/eventStream.ts';
import {
  buildChangeRequest,
  buildCollection,
  buildFile,
  buildGrant,
  buildJob,
  buildMember,
  buildMembership,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSpace,
  buildToken,
  buildUser,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

// For each way in which a right ends: every handle that was given before, and what it is good for afterwards.
// A comment on each handle that still works says until when.

/**
 * The status of its use; of a stream what it says at its end, or `open`; of a webhook whether it hears of the
 * space.
 */
type Use = number | 'open' | 'told' | 'not told';
type Handle =
  /** Of somebody with the role of an editor, or with another one: */
  | 'token'
  | 'limited token'
  | 'token made by the limited one'
  | 'stream'
  | 'job'
  | 'cursor'
  | 'cursor in the space'
  | 'replay'
  | 'file URL'
  /** Of an admin: */
  | 'webhook settings'
  | 'invite link'
  | 'invite by e-mail'
  | 'upload URL'
  /** Of visitors of the site that shows the space: */
  | 'content token'
  | 'content token of a signed visitor'
  | 'content token of a share link'
  | 'file URL of a visitor'
  /** Of the organization: */
  | 'webhook';

const worksBefore: Record<Handle, Use> = {
  token: 200,
  'limited token': 200,
  'token made by the limited one': 200,
  stream: 'open',
  job: 200,
  cursor: 200,
  'cursor in the space': 200,
  replay: 201,
  'file URL': 200,
  'webhook settings': 200,
  'invite link': 200,
  'invite by e-mail': 204,
  'upload URL': 204,
  'content token': 200,
  'content token of a signed visitor': 200,
  'content token of a share link': 200,
  'file URL of a visitor': 200,
  webhook: 'told',
};

/**
 * Everything that one who is no longer let into the space had there. The URL of a file is good for whoever
 * has it, until the space is purged.
 */
const outOfTheSpace = {
  token: 404,
  'limited token': 404,
  'token made by the limited one': 404,
  stream: 404,
  job: 404,
  'cursor in the space': 404,
  replay: 404,
} as const;
const ofVisitors = {
  'content token': 404,
  'content token of a signed visitor': 404,
  'content token of a share link': 404,
} as const;

const it = base.extend('world', async ({ api, organization, admin }) => {
  const holder = await buildMember(organization, 'admin');
  // The cursor of the list leads from this one to the space.
  await buildSpace(organization);
  const space = await buildSpace(organization);
  const file = await buildFile(api.blobs, organization._id, { name: 'plan.bin' });
  const source = `![plan](/files/${file.id})\n`;
  await buildRevision(space, {
    pages: [{ id: newId(), title: 'Page', path: 'page', source }],
    files: [file],
  });
  for (let i = 0; i < 2; i += 1) await buildChangeRequest(space, { status: 'open' });
  await buildSpace(organization);
  const site = await buildSite(organization, { title: 'Public', spaces: [space], isPublished: true });
  const shared = await buildSite(organization, {
    title: 'Shared',
    spaces: [space],
    visibility: 'share-link',
    isPublished: true,
  });
  const call = async (
    method: string,
    path: string,
    { token }: Pick<TestUser, 'token'>,
    json?: unknown,
    headers: Record<string, string> = {},
  ) => api.call(method, `/v1${path}`, { token, ...(json !== undefined && { json }), headers });
  const link = (
    await call('POST', `/orgs/${organization._id}/sites/${shared._id}/share-links`, admin, {
      name: 'Friends',
    })
  ).body;
  return { organization, admin, holder, space, site, shared, link, call };
});

type World = {
  organization: OrganizationRecord;
  admin: TestUser;
  holder: TestUser;
  space: SpaceRecord;
  site: { _id: string };
  shared: { _id: string };
  link: { id: string; urls: { published: string } };
  call: (
    method: string,
    path: string,
    as: Pick<TestUser, 'token'>,
    json?: unknown,
  ) => Promise<{ status: number; body: any }>; // oxlint-disable-line typescript/no-explicit-any -- an answer of any operation
};

/** How a right ends, and what is left of the handles. Handles that a row does not name are as before. */
const ways: Record<
  string,
  { end(world: World): Promise<{ status: number } | void>; left: Partial<Record<Handle, Use>> }
> = {
  'a member is removed': {
    end: ({ call, organization, admin, holder }) =>
      call('DELETE', `/orgs/${organization._id}/members/${holder.user._id}`, admin),
    // An upload URL is good for an hour, for whoever has it.
    left: {
      ...outOfTheSpace,
      cursor: 404,
      'webhook settings': 404,
      'invite link': 404,
      'invite by e-mail': 404,
    },
  },
  'a member becomes a guest': {
    end: ({ call, organization, admin, holder }) =>
      call('PATCH', `/orgs/${organization._id}/members/${holder.user._id}`, admin, { role: null }),
    left: { ...outOfTheSpace, 'webhook settings': 403, 'invite link': 404, 'invite by e-mail': 404 },
  },
  'a member becomes a reader': {
    end: ({ call, organization, admin, holder }) =>
      call('PATCH', `/orgs/${organization._id}/members/${holder.user._id}`, admin, { role: 'read' }),
    left: { replay: 403, 'webhook settings': 403, 'invite link': 404, 'invite by e-mail': 404 },
  },
  'a token is revoked': {
    end: ({ call, holder }) => call('DELETE', `/user/tokens/${holder.tokenId}`, holder),
    left: {
      token: 401,
      stream: 401,
      job: 401,
      cursor: 401,
      'cursor in the space': 401,
      replay: 401,
      'webhook settings': 401,
    },
  },
  'a limited token is revoked, with those that it made': {
    end: async ({ call, holder }) => {
      const { body } = await call('GET', '/user/tokens', holder);
      const limited = body.items.find(
        ({ label, scopes }: { label: string; scopes?: string[] }) => scopes && label === 'Test',
      );
      return call('DELETE', `/user/tokens/${limited.id}`, holder);
    },
    left: { 'limited token': 401, 'token made by the limited one': 401 },
  },
  'an invite link is revoked': {
    end: async ({ call, organization, admin }) => {
      const { body } = await call('GET', `/orgs/${organization._id}/link-invites`, admin);
      return call('DELETE', `/orgs/${organization._id}/link-invites/${body.items[0].id}`, admin);
    },
    left: { 'invite link': 404 },
  },
  'an invite by e-mail is withdrawn': {
    end: async ({ call, organization, admin }) => {
      const { body } = await call('GET', `/orgs/${organization._id}/pending-members`, admin);
      return call('DELETE', `/orgs/${organization._id}/pending-members/${body.items[0].id}`, admin);
    },
    left: { 'invite by e-mail': 404 },
  },
  'a share link is revoked': {
    end: ({ call, organization, admin, shared, link }) =>
      call('DELETE', `/orgs/${organization._id}/sites/${shared._id}/share-links/${link.id}`, admin),
    left: { 'content token of a share link': 404 },
  },
  'a site is unpublished': {
    end: ({ call, organization, admin, site }) =>
      call('POST', `/orgs/${organization._id}/sites/${site._id}/unpublish`, admin, {}),
    left: { 'content token': 404, 'content token of a signed visitor': 404, 'file URL of a visitor': 404 },
  },
  'a site gets another visibility': {
    end: ({ call, organization, admin, site }) =>
      call('PATCH', `/orgs/${organization._id}/sites/${site._id}`, admin, { visibility: 'share-link' }),
    // The URL of a file ends after 60 to 90 minutes.
    left: { 'content token': 404, 'content token of a signed visitor': 404 },
  },
  'a site is deleted': {
    end: ({ call, organization, admin, site }) =>
      call('DELETE', `/orgs/${organization._id}/sites/${site._id}`, admin),
    left: { 'content token': 404, 'content token of a signed visitor': 404, 'file URL of a visitor': 404 },
  },
  'the space is taken from the site': {
    end: async ({ call, organization, admin, site }) => {
      const path = `/orgs/${organization._id}/sites/${site._id}/site-spaces`;
      const second = await buildSpace(organization);
      const { body } = await call('POST', path, admin, { spaceId: second._id });
      await call('PATCH', `/orgs/${organization._id}/sites/${site._id}`, admin, {
        defaultSiteSpace: body.id,
      });
      const { items } = (await call('GET', path, admin)).body;
      return call('DELETE', `${path}/${items.find(({ id }: { id: string }) => id !== body.id).id}`, admin);
    },
    left: { 'content token': 404, 'content token of a signed visitor': 404, 'file URL of a visitor': 404 },
  },
  'the key of a site is regenerated': {
    end: ({ call, organization, admin, site }) =>
      call('POST', `/orgs/${organization._id}/sites/${site._id}/publishing/auth/regenerate`, admin, {}),
    left: { 'content token of a signed visitor': 404 },
  },
  'a space is closed': {
    end: async ({ call, organization, admin, holder, space }) => {
      await call('PATCH', `/orgs/${organization._id}/members/${holder.user._id}`, admin, { role: 'create' });
      return call('PATCH', `/spaces/${space._id}`, admin, { defaultLevel: null });
    },
    left: { ...outOfTheSpace, 'webhook settings': 403, 'invite link': 404, 'invite by e-mail': 404 },
  },
  'a space is moved into a closed collection': {
    end: async ({ call, organization, admin, holder, space }) => {
      await call('PATCH', `/orgs/${organization._id}/members/${holder.user._id}`, admin, { role: 'create' });
      const collection = await buildCollection(organization, { defaultLevel: null });
      return call('POST', `/spaces/${space._id}/move`, admin, { parent: collection._id });
    },
    left: { ...outOfTheSpace, 'webhook settings': 403, 'invite link': 404, 'invite by e-mail': 404 },
  },
  'a grant of a guest is taken back': {
    end: async ({ call, organization, admin, holder, space }) => {
      await call('PATCH', `/orgs/${organization._id}/members/${holder.user._id}`, admin, { role: null });
      await buildGrant({ space }, holder, 'edit');
      return call('DELETE', `/spaces/${space._id}/permissions/users/${holder.user._id}`, admin);
    },
    left: { ...outOfTheSpace, 'webhook settings': 403, 'invite link': 404, 'invite by e-mail': 404 },
  },
  'a space is transferred': {
    end: async ({ call, organization, admin, space }) => {
      const target = await buildOrganization();
      await buildMembership(target.organization, admin, 'admin');
      for (const { _id } of await Site.find({ organization: organization._id }).lean())
        await call('DELETE', `/orgs/${organization._id}/sites/${_id}`, admin);
      return call('POST', `/spaces/${space._id}/transfer`, admin, { organization: target.organization._id });
    },
    // The URL of a file follows the space.
    left: { ...outOfTheSpace, ...ofVisitors, 'file URL of a visitor': 404, webhook: 'not told' },
  },
  'a space is deleted': {
    end: ({ call, admin, space }) => call('DELETE', `/spaces/${space._id}`, admin),
    // It can be restored for 7 days, by those who see it; the URLs of its files are good until it is purged.
    left: {
      ...outOfTheSpace,
      ...ofVisitors,
      token: 200,
      'limited token': 200,
      'token made by the limited one': 200,
      'file URL of a visitor': 404,
    },
  },
};

it.for(Object.entries(ways))('%s', { timeout: 60_000 }, async ([, { end, left }], { api, world }) => {
  const { organization, admin, holder, space, site, link, call } = world;
  const at = `/spaces/${space._id}`;
  const limited = await buildToken(holder.user, { scopes: ['admin'], organizations: [organization._id] });
  const made = (await call('POST', '/user/tokens', limited, { label: 'Made' })).body;
  const job = await buildJob(space, { state: 'running' });
  const leaving = new AbortController();
  const events = readEvents(
    await api.open('GET', `/v1/jobs/${job._id}/events`, { token: holder.token, signal: leaving.signal }),
  );
  expect((await events.next()).value?.event).toBe('job');
  const pageOf = async (path: string) =>
    (await call('GET', `${path}?limit=1`, holder)).body.next.page as string;
  const cursors = {
    organization: await pageOf(`/orgs/${organization._id}/spaces`),
    space: await pageOf(`${at}/change-requests`),
  };
  const key = { 'Idempotency-Key': newId() };
  const replay = async () =>
    api.call('POST', `/v1${at}/change-requests`, {
      token: holder.token,
      json: { subject: 'Once' },
      headers: key,
    });
  await replay();
  const fileUrl = (await call('GET', `${at}/content/files`, holder)).body.items[0].downloadURL;
  const webhook = (
    await call('POST', `/orgs/${organization._id}/webhooks`, holder, { url: 'https://hooks.example.org/' })
  ).body;
  const invite = (await call('POST', `/orgs/${organization._id}/link-invites`, holder, { role: 'read' }))
    .body;
  const invited = [await buildUser(), await buildUser()];
  await call('POST', `/orgs/${organization._id}/invites`, holder, {
    emails: invited.map(({ user }) => user.email),
  });
  const upload = async () => {
    const file = { name: 'a.zip', type: 'x/y', size: 3 };
    return (
      await call('POST', `/orgs/${organization._id}/storage/upload`, holder, { file, kind: 'import_file' })
    ).body.url as string;
  };
  const uploads = [await upload(), await upload()];
  const visit = async (url: string, visitor?: object) =>
    (await api.call('POST', '/v1/urls/published', { json: { url, ...(visitor && { visitor }) } })).body
      .apiToken as string;
  const siteUrl = (await call('GET', `/orgs/${organization._id}/sites/${site._id}`, admin)).body.urls
    .published;
  const { privateKey } = (
    await call('GET', `/orgs/${organization._id}/sites/${site._id}/publishing/auth`, admin)
  ).body;
  const jwtToken = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(Buffer.from(privateKey));
  const visits = {
    plain: await visit(siteUrl),
    signed: await visit(siteUrl, { jwtToken }),
    shared: await visit(link.urls.published),
  };
  const visitorFileUrl = (await call('GET', `${at}/content/files`, { token: visits.plain })).body.items[0]
    .downloadURL;

  const status = async (answer: Promise<{ status: number }>) => (await answer).status;
  const uses: Record<Handle, (isBefore: boolean) => Promise<Use>> = {
    token: async () => status(call('GET', at, holder)),
    'limited token': async () => status(call('GET', at, limited)),
    'token made by the limited one': async () => status(call('GET', at, made)),
    stream: async (isBefore) => {
      if (isBefore || (left.stream ?? 'open') === 'open') return 'open';
      const startedMs = performance.now();
      // A transfer first ends the job.
      for await (const { event, data } of events) {
        expect(performance.now() - startedMs).toBeLessThan(bound(5_000));
        if (event === 'closed') return data.error.code;
        expect(data.log).toEqual([]);
      }
      return 'open';
    },
    job: async () => status(call('GET', `/jobs/${job._id}`, holder)),
    cursor: async (isBefore) => {
      const answer = await call(
        'GET',
        `/orgs/${organization._id}/spaces?page=${cursors.organization}`,
        holder,
      );
      const isListed = JSON.stringify(answer.body).includes(space._id);
      expect(isListed).toBe(isBefore || (answer.status === 200 && left.job === undefined));
      return answer.status;
    },
    'cursor in the space': async () =>
      status(call('GET', `${at}/change-requests?page=${cursors.space}`, holder)),
    replay: async () => status(replay()),
    'file URL': async () => status(api.call('GET', fileUrl)),
    'webhook settings': async () =>
      status(call('GET', `/orgs/${organization._id}/webhooks/${webhook.id}`, holder)),
    'invite link': async () =>
      status(call('POST', `/orgs/${organization._id}/invites/${invite.id}`, await buildUser())),
    'invite by e-mail': async (isBefore) =>
      status(
        call(
          'POST',
          `/user/pending-memberships/${organization._id}/accept`,
          invited[isBefore ? 0 : 1] as TestUser,
          {},
        ),
      ),
    'upload URL': async (isBefore) =>
      status(api.call('PUT', uploads[isBefore ? 0 : 1] as string, { body: Buffer.from('abc') })),
    'content token': async () => status(call('GET', `${at}/content`, { token: visits.plain })),
    'content token of a signed visitor': async () =>
      status(call('GET', `${at}/content`, { token: visits.signed })),
    'content token of a share link': async () =>
      status(call('GET', `${at}/content`, { token: visits.shared })),
    'file URL of a visitor': async () => status(api.call('GET', visitorFileUrl)),
    webhook: async () => {
      await OutboxEvent.deleteMany({ space: space._id });
      const { body } = await call('POST', `${at}/change-requests`, admin, { subject: 'Event' });
      await call('POST', `${at}/change-requests/${body.id}/content`, admin, {
        changes: [{ operation: 'insert_page', title: newId(), document: {} }],
      });
      await call('POST', `${at}/change-requests/${body.id}/merge`, admin);
      const events = await OutboxEvent.find({ space: space._id }).lean();
      // A deleted space cannot be merged into: nothing happens there that could be told.
      return events.length === 0 || events.some((event) => event.organization === organization._id)
        ? 'told'
        : 'not told';
    },
  };
  const useAll = async (isBefore: boolean) => {
    const found: Partial<Record<string, Use>> = {};
    // One after the other: some of them wait for what others change.
    for (const [handle, use] of Object.entries(uses)) found[handle] = await use(isBefore);
    return found;
  };
  expect(await useAll(true)).toEqual(worksBefore);
  const ended = await end(world);
  if (ended) expect([200, 204]).toContain(ended.status);
  expect(await useAll(false)).toEqual({ ...worksBefore, ...left });
  leaving.abort();
});

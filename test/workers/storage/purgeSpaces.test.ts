import { keepOutcomes } from '@bindery/jobs';
import * as models from '@bindery/models';
import {
  ContentNode,
  Grant,
  GitCredential,
  GitRepository,
  GitSyncPoint,
  PageHistory,
  PageHistoryPart,
  Invite,
  jobCollection,
  Lease,
  PageDocument,
  Revision,
  Site,
  SiteSpace,
  Space,
  spaceRecords,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeSpaces } from '../../../apps/worker-maintenance/src/purgeSpaces.ts';
import { startApi, type TestApi } from '../../support/apiServer.ts';
import { startApp } from '../../support/processes/appProcess.ts';
import {
  buildChangeRequest,
  buildComment,
  buildGrant,
  buildInvite,
  buildJob,
  buildMember,
  buildOrganization,
  buildReply,
  buildRevision,
  buildSite,
  buildSiteSpace,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { indexEverything } from '../../support/content/indexing.ts';
import { until } from '../../support/until.ts';

let api: TestApi;
let organization: OrganizationRecord;
let admin: TestUser;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ({ organization, admin } = await buildOrganization());
  await Space.deleteMany({});
});
afterAll(() => api.close());

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const purge = (signal = new AbortController().signal) =>
  purgeSpaces({ logger: createLogger(api.config, { app: 'test' }), signal });

/** A deleted space with one of everything that can belong to it. */
async function buildFullSpace(deletedAt: Date): Promise<SpaceRecord> {
  const space = await buildSpace(organization);
  await buildRevision(space, { pages: [{ id: 'p', path: 'p', source: `# ${newId()}` }] });
  const changeRequest = await buildChangeRequest(space);
  const comment = await buildComment({ space });
  await buildReply({ space }, comment);
  await buildComment({ space, changeRequest });
  const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/reviews`;
  expect((await api.call('POST', path, { token: admin.token, json: { status: 'approved' } })).status).toBe(
    201,
  );
  await GitRepository.create({ _id: newId(), space: space._id, commit: 'c', updatedAt: new Date() });
  await GitSyncPoint.create({
    _id: newId(),
    space: space._id,
    commit: 'c',
    revision: space.revision,
    updatedAt: new Date(),
  });
  const sealed = { keyId: 'k', nonce: Buffer.alloc(12), ciphertext: Buffer.alloc(4), tag: Buffer.alloc(16) };
  await GitCredential.create({
    _id: newId(),
    space: space._id,
    sealed,
    expireAt: new Date(Date.now() + dayMs),
  });
  const hook = { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' };
  await api.call('PUT', `/v1/spaces/${space._id}/git/hook`, { token: admin.token, json: hook });
  const point = { point: newId(), commit: 'c', version: newId(), updatedAt: new Date() };
  await PageHistory.create({ _id: space._id, space: space._id, parts: ['p'], ...point });
  await PageHistoryPart.create({ _id: newId(), space: space._id, packed: Buffer.alloc(4) });
  await buildGrant({ space }, await buildMember(organization, null), 'edit');
  await buildInvite(organization, { target: { type: 'space', id: space._id } });
  await buildJob(space, {
    state: 'succeeded',
    startedAt: new Date(),
    finishedAt: new Date(),
    outcome: 'owed',
  });
  await keepOutcomes();
  await indexEverything(api.config);
  return changeSpace(space, { deletedAt });
}

/** How much of a space there is, by the name of the model. */
async function remainsOf({ _id }: SpaceRecord): Promise<Record<string, number>> {
  const found = [
    ...(await Promise.all(
      spaceRecords.map(
        async (model) => [model.modelName, await model.countDocuments({ space: _id })] as const,
      ),
    )),
    ['SiteSpace', await SiteSpace.countDocuments({ space: _id })] as const,
    ['Grant', await Grant.countDocuments({ target: _id })] as const,
    ['Invite', await Invite.countDocuments({ 'target.id': _id })] as const,
    ['Space', await Space.countDocuments({ _id })] as const,
  ];
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

type AnyModel = { modelName: string; schema: { path(name: string): unknown } };

describe('the purge', () => {
  it('removes a space with all its records seven days after its deletion, and no other space', async () => {
    const late = await buildFullSpace(daysAgo(7));
    const early = await buildFullSpace(new Date(daysAgo(7).getTime() + 60_000));
    const live = await buildSpace(organization);
    const before = await remainsOf(early);
    expect(Object.keys(before).toSorted()).toEqual(
      [...spaceRecords.map(({ modelName }) => modelName), 'Grant', 'Invite', 'Space'].toSorted(),
    );
    expect(await purge()).toBe(1);
    expect(await remainsOf(late)).toEqual({});
    expect(await remainsOf(early)).toEqual(before);
    expect(await remainsOf(live)).toEqual({ Revision: 1, Space: 1 });
    expect(await purge()).toBe(0);
  });

  it('keeps the jobs, and the content, which other spaces may share', async () => {
    const space = await buildSpace(organization);
    const text = `# ${newId()}`;
    await buildRevision(space, { pages: [{ id: 'p', path: 'p', source: text }] });
    const { _id: job } = await buildJob(space, { state: 'succeeded' });
    await buildJob(space, {
      state: 'failed',
      subject: { type: 'change-request', id: 'cr' },
      space: space._id,
    });
    const { body: copy } = await api.call('POST', `/v1/spaces/${space._id}/duplicate`, {
      token: admin.token,
    });
    const counts = async () => [await ContentNode.countDocuments(), await PageDocument.countDocuments()];
    const before = await counts();
    await changeSpace(space, { deletedAt: daysAgo(8) });
    expect(await purge()).toBe(1);
    expect(await counts()).toEqual(before);
    expect(
      (await api.call('GET', `/v1/spaces/${copy.id}/content/page/p`, { token: admin.token })).body.markdown,
    ).toBe(text);
    expect(await jobCollection().countDocuments({ _id: job })).toBe(1);
    // Nothing tells any more who may see them.
    expect(
      (await api.call('GET', `/v1/orgs/${organization._id}/jobs`, { token: admin.token })).body.count,
    ).toBe(0);
    expect((await api.call('GET', `/v1/jobs/${job}`, { token: admin.token })).status).toBe(404);
  });

  it('updates the sites that contained the space', async () => {
    const [first, second] = [await buildSpace(organization), await buildSpace(organization)];
    const site = await buildSite(organization);
    await buildSiteSpace(site, { space: first });
    const other = await buildSiteSpace(site, { space: second });
    await changeSpace(first, { deletedAt: daysAgo(8) });
    await purge();
    expect(await Site.findById(site._id).lean()).toMatchObject({
      siteSpaces: 1,
      defaultSiteSpace: other._id,
    });
    expect(await SiteSpace.countDocuments({ site: site._id })).toBe(1);
  });

  it('continues where another purge stopped', async () => {
    const spaces = [];
    for (let i = 0; i < 3; i += 1)
      spaces.push(await changeSpace(await buildSpace(organization), { deletedAt: daysAgo(8) }));
    const [begun] = spaces as [SpaceRecord];
    await changeSpace(begun, { purgeStartedAt: new Date() });
    await Revision.deleteMany({ space: begun._id });
    const stopped = new AbortController();
    stopped.abort();
    expect(await purge(stopped.signal)).toBe(0);
    expect(await Space.countDocuments()).toBe(3);
    expect(await purge()).toBe(3);
    expect(await Space.countDocuments()).toBe(0);
    expect(await Revision.countDocuments({ space: { $in: spaces.map(({ _id }) => _id) } })).toBe(0);
  });

  it('removes more spaces and records than one batch holds', { timeout: 60_000 }, async () => {
    const model = await changeSpace(await buildSpace(organization), { deletedAt: daysAgo(8) });
    await Space.insertMany(Array.from({ length: 120 }, () => ({ ...model, _id: newId() })));
    const revision = await Revision.findOne({ space: model._id }).lean();
    await Revision.insertMany(Array.from({ length: 2_500 }, () => ({ ...revision, _id: newId() })));
    expect(await purge()).toBe(121);
    expect(await Revision.countDocuments({ space: model._id })).toBe(0);
  });

  it('may run several times at once', async () => {
    for (let i = 0; i < 5; i += 1) await buildFullSpace(daysAgo(9));
    const removed = await Promise.all([purge(), purge(), purge()]);
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(await Space.countDocuments()).toBe(0);
  });

  it('races with a restore at the last moment, and exactly one of them wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const space = await buildFullSpace(new Date(daysAgo(7).getTime() + 30));
      const before = await remainsOf(space);
      const restored = until('end of the time to restore it', async () => {
        const { status } = await api.call('POST', `/v1/spaces/${space._id}/restore`, { token: admin.token });
        return status === 200 || status === 404 || status === 409 ? status : undefined;
      });
      const removed = until('purge', async () => (await purge()) > 0 || (await restored) === 200);
      const [status] = await Promise.all([restored, removed]);
      if (status === 200) expect(await remainsOf(space)).toEqual(before);
      else expect(await remainsOf(space)).toEqual({});
      await Space.deleteMany({});
    }
  });

  it('knows every kind of record that belongs to a space', () => {
    // A site closes the gap that a space leaves, and jobs stay.
    const known = new Set([
      ...spaceRecords.map(({ modelName }) => modelName),
      'SiteSpace',
      'Job',
      'OutboxEvent',
      'WebhookDelivery',
    ]);
    const all = Object.values(models).flatMap((exported) =>
      typeof exported === 'function' && 'modelName' in exported ? [exported as unknown as AnyModel] : [],
    );
    expect(all.length).toBeGreaterThan(20);
    const withSpace = all.filter(({ schema }) => schema.path('space') !== undefined);
    // One that is new is added to `spaceRecords`, or removed by purgeSpaces in a way of its own.
    expect(withSpace.map(({ modelName }) => modelName).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the maintenance worker', () => {
  it('purges repeatedly, and releases its lease when it stops', { timeout: 60_000 }, async () => {
    const space = await buildFullSpace(daysAgo(8));
    const worker = await startApp('worker-maintenance', { ...process.env, BINDERY_PURGE_INTERVAL_MS: '100' });
    await until('first purge', async () => (await Space.countDocuments({ _id: space._id })) === 0);
    const second = await buildFullSpace(daysAgo(8));
    await until('second purge', async () => (await Space.countDocuments({ _id: second._id })) === 0);
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(await Lease.countDocuments({ _id: 'purge' })).toBe(0);
  });
});

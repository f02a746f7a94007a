import { ensureIndexes, jobCollection, mongoDatabase, User } from '@bindery/models';
import { expect } from 'vitest';
import { it } from '../../support/it.ts';

// Queries by a field that not every record has: MongoDB ignores an index on it unless the query shows that
// the index holds the answer.
it.for<[string, object]>([
  ['jobs', { lane: 'git:x' }],
  ['jobs', { lane: 'git:x', state: 'running' }],
  ['jobs', { joinKey: 'pdf:x' }],
  ['jobs', { space: 'x' }],
  ['jobs', { createdAt: { $gt: new Date(0) }, log: { $exists: true } }],
  ['jobLogs', { job: 'x', block: { $gte: 1 }, lastSeq: { $gt: 1 } }],
  ['users', { email: 'a@example.org' }],
  ['users', { email: { $in: ['a@example.org', 'b@example.org'] } }],
  ['organizations', { hostname: 'acme' }],
  ['organizations', { $or: [{ hostname: 'acme' }, { _id: 'acme' }] }],
  ['organizations', { emailDomains: 'example.org' }],
  ['organizations', { provenEmailDomains: 'example.org' }],
  ['organizations', { provenEmailDomains: { $exists: false } }],
  ['siteHosts', { organization: 'x', isEmailDomain: true, host: { $nin: ['example.org'] } }],
  ['sites', { hostname: 'docs.example.org' }],
  ['sites', { proxy: { $in: ['example.org/a', 'example.org/a/b'] } }],
  ['siteHosts', { nextCheckAt: { $lte: new Date() } }],
  ['siteHosts', { host: 'example.org', provenAt: { $exists: true } }],
  ['siteHosts', { host: 'example.org', provenAt: { $exists: true }, organization: { $ne: 'x' } }],
  ['customHostnames', { hostname: 'docs.example.org', organization: { $in: ['x', 'y'] } }],
  ['customHostnames', { hostname: 'docs.example.org', provenAt: { $exists: true } }],
  ['customHostnames', { hostname: 'example.org', provenAt: { $exists: true }, organization: { $ne: 'x' } }],
  ['certificateOrders', { at: { $gte: new Date() } }],
  ['certificateOrders', { organization: 'x', at: { $gte: new Date() } }],
  ['customHostnames', { nextCheckAt: { $lte: new Date() } }],
  ['samlProviders', { defaultTeam: 'x' }],
  ['spaces', { deletedAt: { $lte: new Date() } }],
  ['apiTokens', { hash: 'x' }],
  ['shareLinks', { keyHash: { $in: ['x', 'y'] } }],
  ['documentLinks', { organization: 'x', spaces: 'y' }],
  ['changeRequests', { space: 'x', createdBy: 'y', 'folder.name': 'docs' }],
  ['spaceMentions', { madeIn: 'x', mentions: 'y' }],
  ['spaceMentions', { madeIn: 'x', specs: { $in: ['y'] } }],
  ['documents', { _id: { $in: ['x:a', 'x:b'] }, unreachableSince: { $gt: new Date(0) } }],
  ['nodes', { _id: { $gt: 'x:', $lte: 'x:b' }, unreachableSince: { $gt: new Date(0) } }],
  ['blobs.files', { filename: { $in: ['x:a'] }, unreachableSince: { $lte: new Date() } }],
  ['blobs.files', { removedAt: { $lte: new Date() } }],
])('%s are found by %j with an index', async ([collection, filter], { api: _started }) => {
  const plan = await mongoDatabase().collection(collection).find(filter).explain('queryPlanner');
  const text = JSON.stringify(plan['queryPlanner'].winningPlan);
  expect(text).toContain('IXSCAN');
  expect(text).not.toContain('COLLSCAN');
});

it('an index of an earlier version is replaced by the current one, and an index added by hand stays', async ({
  api: _started,
}) => {
  const users = User.collection;
  await users.dropIndex('email_1');
  await users.createIndex(
    { email: 1 },
    { unique: true, partialFilterExpression: { email: { $type: 'string' } } },
  );
  await users.createIndex({ photoURL: 1 });
  await ensureIndexes();
  const indexes = await users.indexes();
  expect(indexes.find(({ name }) => name === 'email_1')).toMatchObject({
    unique: true,
    partialFilterExpression: { email: { $exists: true } },
  });
  expect(indexes.map(({ name }) => name)).toContain('photoURL_1');
  await users.dropIndex('photoURL_1');
  expect(await jobCollection().countDocuments()).toBe(0);
});

it('an index of an earlier version that no query uses any more is dropped', async ({ api: _started }) => {
  const old = [
    ['jobs', { queue: 1, state: 1, organization: 1, createdAt: 1 }],
    ['jobs', { lane: 1, state: 1, createdAt: 1 }],
    ['webhookDeliveries', { state: 1, endpoint: 1, nextAttemptAt: 1 }],
  ] as const;
  const names = async (collection: string) =>
    (await mongoDatabase().collection(collection).indexes()).map(({ name }) => name);
  for (const [collection, keys] of old) {
    const name = await mongoDatabase().collection(collection).createIndex(keys);
    await ensureIndexes();
    expect(await names(collection)).not.toContain(name);
  }
});

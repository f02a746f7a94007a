import * as models from '@bindery/models';
import { loadRevision } from '@bindery/content';
import {
  ChangeRequest,
  jobCollection,
  mongoDatabase,
  Space,
  SpaceIndex,
  Translation,
  type SpaceRecord,
} from '@bindery/models';
import { nodeFields, notRoots, revisionNames, roots } from '../../../packages/content/src/collect/roots.ts';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { routes } from '../../../apps/api/src/routes.ts';
import { buildFile, buildJob, buildSpec } from '../../support/factories.ts';
import { fixtureRepository } from '../../support/fixtureRepository.ts';
import { startGitServer, type GitServer } from '../../support/git/gitServer.ts';
import { exportHere, importHere } from '../../support/git/importHere.ts';
import { exportRequest, importRequest } from '../../support/importRequest.ts';
import { indexEverything } from '../../support/content/indexing.ts';
import { it as base } from '../../support/it.ts';
import { buildWorld, type World } from '../../support/world.ts';

/** Fields that name a revision without keeping it. */
const tellsOfRevisions = [
  // Ancestors: a revision whose parent is gone shows all of its content as new.
  'revisions.parents',
  'revisions.mergedFrom.revision',
  'revisions.mergedFrom.revisionInitial',
  'revisions.mergedFrom.revisionMerged',
  'jobLogs.lines.message',
  // Joins requests for the same revision, which only exist while it does.
  'jobs.joinKey',
  // Texts of webhooks.
  'outboxEvents.data.revisionId',
  'webhookDeliveries.payload',
  'jobs.events.owed.revision',
];

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('gitServer', { scope: 'file' }, async ({}, { onCleanup }): Promise<GitServer> => {
    const server = await startGitServer();
    onCleanup(server.close);
    return server;
  })
  .extend('environment', { scope: 'file' }, ({ gitServer }) => ({
    BINDERY_OUTBOUND_ALLOW: gitServer.hostPort,
  }))
  /** One of each resource, with the records that jobs and the index make of them. */
  .extend('world', { scope: 'file' }, async ({ api, gitServer }): Promise<World> => {
    const world = await buildWorld(
      api,
      routes.map(({ path }) => path),
    );
    const { organization, admin, places } = world;
    const { config, blobs } = api;
    const space = (await Space.findById(places['/spaces/:spaceId']).lean()) as SpaceRecord;
    const repository = await gitServer.createRepository('fixture.git', fixtureRepository());
    const { url } = repository;
    const request = { ...importRequest(space, { url, force: true }), startedBy: admin.user._id };
    await importHere(request, { config, blobs });
    const { id } = await call('POST', `/v1/spaces/${space._id}/change-requests`, { subject: 'Change' });
    const change = { operation: 'insert_page', title: 'New', document: { markdown: `Text ${newId()}` } };
    await call('POST', `/v1/spaces/${space._id}/change-requests/${id}/content`, { changes: [change] });
    await call('POST', `/v1/spaces/${space._id}/change-requests/${id}/merge`);
    // The export merges it.
    await repository.commit({ 'LICENSE.md': 'Free.\n' });
    await exportHere({ ...exportRequest(space, { url }), startedBy: admin.user._id }, { config, blobs });
    // As an import with a conflict leaves it.
    const git = { point: 'point', since: 'commit', commit: 'commit', revision: space.revision };
    await ChangeRequest.updateOne({ _id: id }, { $set: { git } });
    const { blob } = await buildFile(blobs, organization._id, { bytes: newId() });
    await buildJob(space, {
      state: 'succeeded',
      input: { logo: { blob, type: 'image/png' }, changesFrom: space.revision },
      result: { file: blob, sizeBytes: 1 },
    });
    const key = `${newId()}-file.zip`;
    await blobs.put(`${organization._id}:${key}`, new Response('zip').body as never);
    await buildJob(space, {
      state: 'succeeded',
      input: { spaceId: space._id, files: [{ key, name: 'file.zip' }] },
    });
    await buildSpec(organization, { source: { archive: { key } } });
    // As a run leaves it.
    const { pages, files, reusableContents } = await loadRevision(space._id, space.revision);
    const written = { pages, files, reusableContents, variables: [], redirects: [] };
    await Translation.updateMany({ organization: organization._id }, { $set: { written } });
    await indexEverything(config);
    // As an unfinished run leaves it.
    for (const { _id, root } of await SpaceIndex.find().lean())
      await SpaceIndex.updateOne({ _id }, { $set: { begun: [root] } });
    return world;

    async function call(method: string, path: string, json: unknown = {}) {
      const { status, body, text } = await api.call(method, path, { token: admin.token, json });
      expect(status, text).toBeLessThan(300);
      return body;
    }
  })
  .extend('found', { scope: 'file' }, async ({ world: _built }) => findNames());

/** Finds the fields of the whole database that hold names of stored content or of revisions. */
async function findNames(): Promise<{ content: Set<string>; revisions: Set<string> }> {
  const database = mongoDatabase();
  const content = new Set<string>();
  const revisions = new Set<string>();
  for (const [collection, field] of [
    ['nodes', '_id'],
    ['documents', '_id'],
    ['blobs.files', 'filename'],
  ] as const) {
    for await (const record of database.collection(collection).find()) {
      const key = String(record[field]);
      content.add(key).add(key.slice(key.indexOf(':') + 1));
    }
  }
  for await (const { _id } of database.collection<{ _id: string }>('revisions').find()) revisions.add(_id);
  const found = { content: new Set<string>(), revisions: new Set<string>() };
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      // Also within a longer text, such as a kept answer or a document as JSON.
      for (const word of value.match(/[\w-]{20,}(?::[0-9a-f]{64})?(?:\.\w+)?/g) ?? []) {
        const bare = word.slice(word.indexOf(':') + 1);
        if (content.has(word) || content.has(bare)) found.content.add(path);
        if (revisions.has(word)) found.revisions.add(path);
      }
    } else if (Array.isArray(value)) for (const member of value) visit(member, path);
    else if (
      typeof value === 'object' &&
      value !== null &&
      (value.constructor === Object || value.constructor === undefined)
    )
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
  };
  for (const { collectionName } of await database.collections()) {
    if (collectionName === 'blobs.chunks' || collectionName.startsWith('system.')) continue;
    for await (const record of database.collection(collectionName).find()) visit(record, collectionName);
  }
  return found;
}

const rootFields = [
  ...roots.flatMap(({ collection, fields }) => Object.keys(fields).map((field) => `${collection}.${field}`)),
  ...Object.keys(nodeFields).map((field) => `nodes.items.${field}`),
];
const fieldsOfRevisions = revisionNames.flatMap(({ collection, fields }) =>
  fields.map((field) => `${collection}.${field}`),
);

describe('every field that names stored content', { timeout: 120_000 }, () => {
  it('is a root, or is listed with the reason why not', async ({ found }) => {
    const own = ['nodes._id', 'documents._id', 'blobs.files.filename'];
    const known = new Set([...own, ...rootFields, ...Object.keys(notRoots)]);
    expect([...found.content].filter((field) => !known.has(field)).toSorted()).toEqual([]);
  });

  it('exists in the data when it is listed as a root', async ({ found }) => {
    // An outcome has the same fields as its job, and is written after the job has ended.
    const isThere = (field: string) =>
      found.content.has(field) || found.content.has(field.replace('jobOutcomes.', 'jobs.'));
    expect(rootFields.filter((field) => !isThere(field))).toEqual([]);
  });
});

describe('every field that names a revision', { timeout: 120_000 }, () => {
  it('keeps the revision while history is limited, or is listed as an exception', async ({ found }) => {
    const known = new Set(['revisions._id', ...fieldsOfRevisions, ...tellsOfRevisions]);
    expect([...found.revisions].filter((field) => !known.has(field)).toSorted()).toEqual([]);
  });
});

type Schema = { paths: Record<string, { instance: string }> };
type AnyModel = { modelName: string; collection: { collectionName: string }; schema: Schema };

it('no model has an unlisted field whose name suggests content', () => {
  const all = Object.values(models).filter(
    (value): value is never => typeof value === 'function' && 'modelName' in value,
  ) as unknown as AnyModel[];
  const fields = all.flatMap(({ collection, schema }) =>
    Object.entries(schema.paths)
      .filter(([, { instance }]) => ['String', 'Array', 'Buffer'].includes(instance))
      .map(([path]) => `${collection.collectionName}.${path}`),
  );
  const sounds =
    /\.(\w*blob|\w*document|\w*node|\w*[hH]ash|revision\w*|pages|files|reusableContents|root|begun|file)$/;
  const known = new Set([
    ...rootFields,
    ...fieldsOfRevisions,
    ...Object.keys(notRoots),
    ...tellsOfRevisions,
    ...others,
  ]);
  expect(fields.filter((field) => sounds.test(field) && !known.has(field)).toSorted()).toEqual([]);
});

/** Fields with such a name that hold something else. */
const others = [
  // Hashes of all that a revision holds, for comparisons.
  'revisions.contentHash',
  'gitRepositories.contentHash',
  // Hashes of secrets.
  'apiTokens.hash',
  'shareLinks.keyHash',
  'inviteLinks.hash',
  // Hashes of the settings of an identity provider.
  'consoleSessions.providerHash',
  'samlSignIns.providerHash',
];

it('the test data has a job whose checkpoint names content', async ({ world }) => {
  expect(await jobCollection().countDocuments({ 'checkpoint.organization': world.organization._id })).toBe(1);
});

import {
  collectOrganization,
  copyContent,
  insertRevision,
  prepareRevision,
  storeDocuments,
} from '@bindery/content';
import { databaseTime, mongoDatabase, Revision, Space, withTransaction } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { forgetNodes } from '../../../packages/content/src/store/nodes.ts';
import { storeSource } from '../../support/content/editContent.ts';
import { buildFile, buildRevision, buildSpace } from '../../support/factories.ts';
import { itInNewOrganization as it } from '../../support/it.ts';
import {
  buildFilledSpace,
  collectAtOnce,
  neededNames,
  storedNames,
} from '../../support/stores/storedContent.ts';
import { until } from '../../support/until.ts';

const { signal } = new AbortController();

describe('content without a reference', () => {
  const collectNow = async (
    organization: string,
    blobs: Parameters<typeof collectOrganization>[1]['blobs'],
  ) => collectOrganization(organization, { blobs, before: await databaseTime(), signal });

  it('stays for a full grace period after it is stored again, however long it was unreachable', async ({
    api,
    organization,
  }) => {
    const { _id } = organization;
    const text = `# ${newId()}`;
    const bytes = Buffer.from(newId());
    const storeAll = async () => {
      const document = await storeSource(_id, text);
      const { blob } = await buildFile(api.blobs, _id, { bytes });
      return { document, blob };
    };
    await storeAll();
    await collectNow(_id, api.blobs);
    // The next collection would remove it.
    const { document, blob } = await storeAll();
    await collectNow(_id, api.blobs);
    expect(await storedNames(_id)).toEqual([`blobs.files/${blob}`, `documents/${document}`]);
    // Finding it protects it as well.
    await api.blobs.findStored([`${_id}:${blob}`]);
    await collectNow(_id, api.blobs);
    expect(await storedNames(_id)).toEqual([`blobs.files/${blob}`]);
  });

  it('stays when a reference is written after the collection has looked for references', async ({
    api,
    organization,
  }) => {
    const { _id } = organization;
    const space = await buildSpace(organization);
    const text = `# ${newId()}`;
    const bytes = newId();
    const content = async () => ({
      pages: [{ id: 'p', path: 'p', source: text, pages: [{ id: 'q', path: 'p/q' }] }],
      files: [await buildFile(api.blobs, _id, { id: 'f', name: 'a', bytes })],
    });
    const { _id: first } = await buildRevision(space, { ...(await content()), publish: false });
    await Revision.deleteOne({ _id: first });
    await collectNow(_id, api.blobs);
    // The writer is another process, which does not know that the nodes were stored a moment ago.
    const nodes = (await storedNames(_id)).filter((name) => name.startsWith('nodes/'));
    forgetNodes(nodes.map((name) => `${_id}:${name.slice('nodes/'.length)}`));
    let isWritten = false;
    await collectOrganization(_id, {
      blobs: api.blobs,
      before: await databaseTime(),
      signal,
      // The first call comes when all references have been looked for.
      onBatch: async () => {
        if (isWritten) return;
        isWritten = true;
        await buildRevision(space, await content());
      },
    });
    expect(isWritten).toBe(true);
    const stored = await storedNames(_id);
    expect((await neededNames(_id)).filter((name) => !stored.includes(name))).toEqual([]);
  });

  it('cannot be published once it is removed: its writer has to start over', async ({
    api,
    organization,
  }) => {
    const space = await buildSpace(organization);
    const fields = {
      organization: organization._id,
      space: space._id,
      parents: [space.revision],
      type: 'edits' as const,
      createdBy: 'nobody',
    };
    const page = {
      id: 'p',
      type: 'group' as const,
      title: 'Late',
      slug: 'late',
      path: 'late',
      createdAt: '',
      updatedAt: '',
      pages: [],
    };
    const content = { pages: [page], files: [], reusableContents: [], variables: [], redirects: [] };
    const { revision } = await prepareRevision({ ...fields, content });
    await collectAtOnce(organization._id, api.blobs);
    await expect(withTransaction((session) => insertRevision(revision, session))).rejects.toThrow(
      'was removed before it was published',
    );
    const again = await prepareRevision({ ...fields, content });
    await withTransaction((session) => insertRevision(again.revision, session));
    expect(again.nodesWritten).toBe(1);
  });

  it('is readable in an organization to which it was copied while it was unreachable there', async ({
    api,
    organization,
  }) => {
    const [from, to] = [newId(), organization._id];
    const content = async (owner: string) => {
      const space = await buildSpace({ ...organization, _id: owner }, { title: 'Same' });
      return buildRevision(space, { pages: [{ id: 'p', path: 'p', source: '# Same' }] });
    };
    const target = await content(to);
    await Revision.deleteMany({ organization: to });
    await Space.deleteMany({ organization: to });
    await collectNow(to, api.blobs);
    const revision = await content(from);
    expect(revision.pages).toBe(target.pages);
    await copyContent([revision], { to, copyBlobs: async () => {} });
    await collectNow(to, api.blobs);
    const names = await storedNames(to);
    expect(names).toEqual(expect.arrayContaining([`nodes/${revision.pages}`, `nodes/${revision.files}`]));
    expect(names.filter((name) => name.startsWith('documents/'))).toHaveLength(1);
  });

  it('is collected in batches when there is much of it, with the same result', async ({
    api,
    organization,
  }) => {
    const { _id } = organization;
    await buildFilledSpace(organization, api.blobs);
    const pages = Array.from({ length: 40 }, (_, n) => ({
      id: `p${n}`,
      path: `p${n}`,
      source: `# ${newId()}`,
    }));
    await buildRevision(await buildSpace(organization), { pages });
    for (let n = 0; n < 40; n += 1) {
      await storeSource(_id, `# ${newId()}`);
      await buildFile(api.blobs, _id, { bytes: newId() });
    }
    expect(await collectAtOnce(_id, api.blobs, { marksAtOnce: 10 })).toMatchObject({
      documents: 40,
      blobs: 40,
    });
    expect(await storedNames(_id)).toEqual(await neededNames(_id));
  });

  it('stays in an organization that has lost a node, because a backup may bring that node back', async ({
    api,
    organization,
  }) => {
    const { space } = await buildFilledSpace(organization, api.blobs);
    await buildRevision(space, {
      pages: [{ id: 'p', path: 'p', pages: [{ id: 'q', path: 'p/q', source: `# ${newId()}` }] }],
    });
    await storeSource(organization._id, newId());
    const revision = await Revision.findById((await Space.findById(space._id).lean())?.revision).lean();
    await mongoDatabase()
      .collection('nodes')
      .deleteOne({ _id: `${organization._id}:${revision?.pages}` as never });
    const before = await storedNames(organization._id);
    expect(await collectAtOnce(organization._id, api.blobs)).toMatchObject({
      documents: 0,
      missing: { kind: 'node', name: revision?.pages, from: `revisions ${revision?._id}` },
    });
    expect(await storedNames(organization._id)).toEqual(before);
  });

  it('is found by its index, without reading documents in use', async ({ api, organization }) => {
    await buildRevision(await buildSpace(organization), {
      pages: Array.from({ length: 300 }, (_, n) => ({
        id: `p${n}`,
        path: `p${n}`,
        source: `# ${n} ${organization._id}`,
      })),
    });
    const database = mongoDatabase();
    await database.command({ profile: 2 });
    try {
      await collectAtOnce(organization._id, api.blobs);
    } finally {
      await database.command({ profile: 0 });
    }
    const profile = await database
      .collection('system.profile')
      .find({ ns: `${database.databaseName}.documents` })
      .toArray();
    expect(profile.length).toBeGreaterThan(0);
    expect(profile.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0)).toBe(0);
    await database.collection('system.profile').drop();
  });
});

it(
  'a document that is stored during its removal is kept',
  { timeout: 120_000 },
  async ({ api, organization }) => {
    const { _id } = organization;
    const source = { frontmatter: Buffer.alloc(0), body: Buffer.from(`# ${newId()}`) };
    const hash = await storeSource(_id, source.body);
    const graceMs = 200;
    const find = async () =>
      mongoDatabase()
        .collection('documents')
        .findOne({ _id: `${_id}:${hash}` as never });
    const isDue = async () => {
      const found = await find();
      return !found || (found['unreachableSince'] && Date.now() - found['unreachableSince'] >= graceMs);
    };
    let isEnding = false;
    const collecting = (async () => {
      while (!isEnding) {
        const before = new Date((await databaseTime()).getTime() - graceMs);
        await collectOrganization(_id, { blobs: api.blobs, before, signal });
      }
    })();
    for (let round = 0; round < 30; round += 1) {
      await until('time at which it may go', isDue, { everyMs: 1 });
      const beganMs = performance.now();
      await storeDocuments(_id, [{ hash, source }]);
      const found = await find();
      if (performance.now() - beganMs < graceMs) expect(found, `round ${round}`).not.toBeNull();
    }
    isEnding = true;
    await collecting;
  },
);

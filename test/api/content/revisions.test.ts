import { Revision, Space, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import {
  buildChangeRequest,
  buildGrant,
  buildMember,
  buildRevision,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const git = {
  oid: 'a'.repeat(40),
  message: 'Write the guide',
  createdByDocs: false,
  projectDirectory: '',
};

const it = base
  .extend('space', async ({ organization }) => {
    const { _id } = await buildSpace(organization);
    const empty = (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;
    await buildRevision(empty, { pages: [{ id: `guide${_id}`, title: 'Guide', source: '# Guide\n' }], git });
    return (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;
  })
  .extend('edited', ({ space }) => async (text: string): Promise<RevisionRecord> => {
    const document = await storeSource(space.organization, text);
    return editContent(space, (edit) => setFields(edit, `guide${space._id}`, { document }));
  })
  .extend('list', ({ api, admin, space }) => async (query = '', token = admin.token) => {
    const { status, body } = await api.call('GET', `/v1/spaces/${space._id}/revisions${query}`, { token });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { items: { id: string; parents: string[] }[]; next?: { page: string } };
  });

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

describe('the revisions of a space', () => {
  it('begin with the current one, and each is the first parent of the one before', async ({
    space,
    edited,
    list,
  }) => {
    const second = await edited('# Guide\n\nTwo.\n');
    const third = await edited('# Guide\n\nThree.\n');
    const { items } = await list();
    expect(items.map(({ id }) => id).slice(0, 3)).toEqual([third._id, second._id, space.revision]);
    for (const [index, { parents }] of items.entries()) expect(parents[0]).toBe(items[index + 1]?.id);
    expect(items[0]).toMatchObject({
      object: 'revision',
      type: 'edits',
      createdBy: { id: 'nobody', displayName: 'Unknown user' },
    });
    expect(items[0]).not.toHaveProperty('pages');
  });

  it('include merges with their change request, but not the revisions in it', async ({
    api,
    reviewer,
    space,
    list,
  }) => {
    const request = await buildChangeRequest(space, {
      subject: 'Words',
      status: 'open',
      createdBy: reviewer.user._id,
    });
    const document = await storeSource(space.organization, '# Guide\n\nMerged.\n');
    const inRequest = await editContent(request, (edit) =>
      setFields(edit, `guide${space._id}`, { document }),
    );
    const path = `/v1/spaces/${space._id}/change-requests/${request._id}/merge`;
    const merged = await api.call('POST', path, { token: reviewer.token });
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    const { items } = await list();
    expect(items[0]).toMatchObject({
      id: merged.body.revision,
      type: 'merge',
      parents: [space.revision, inRequest._id],
      createdBy: { id: reviewer.user._id },
      mergedFrom: { id: request._id, subject: 'Words', createdBy: { id: reviewer.user._id } },
    });
    expect(items[1]?.id).toBe(space.revision);
    expect(idsOf({ items })).not.toContain(inRequest._id);
  });

  it('continue on the next page where the last one ended, also when there is a new one', async ({
    edited,
    list,
  }) => {
    for (const text of ['One', 'Two', 'Three', 'Four']) await edited(`# Guide\n\n${text}.\n`);
    const all = idsOf(await list());
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const answer = await list(`?limit=2${page === undefined ? '' : `&page=${page}`}`);
      seen.push(...idsOf(answer));
      page = answer.next?.page;
      await edited(`# Guide\n\nNew ${seen.length}.\n`);
    } while (page !== undefined);
    expect(seen).toEqual(all);
    expect(await list('?limit=0')).not.toHaveProperty('next');
  });

  it('are in the order of their parents, whatever their times are', async ({ edited, list }) => {
    for (const text of ['One', 'Two', 'Three']) await edited(`# Guide\n\n${text}.\n`);
    const before = idsOf(await list());
    // The clocks of two machines differ.
    for (const [index, id] of before.entries())
      await Revision.updateOne({ _id: id }, { $set: { createdAt: new Date(Date.UTC(2026, 0, 1 + index)) } });
    expect(idsOf(await list())).toEqual(before);
  });

  it('name the commit that they come from, unless metadata is false', async ({ space, list }) => {
    const theImported = (answer: { items: { id: string }[] }) =>
      answer.items.find(({ id }) => id === space.revision);
    expect(theImported(await list())).toMatchObject({ git: { oid: git.oid, message: git.message } });
    expect(theImported(await list('?metadata=false'))).not.toHaveProperty('git');
  });

  it('show guests names and no e-mail addresses', async ({ organization, reviewer, space, list }) => {
    await Revision.updateOne({ _id: space.revision }, { $set: { createdBy: reviewer.user._id } });
    const guest = await buildMember(organization, null);
    await buildGrant({ space }, guest, 'read');
    const [first] = (await list('?limit=1', guest.token)).items;
    expect(first).toMatchObject({ createdBy: { displayName: reviewer.user.displayName } });
    expect(first).not.toHaveProperty('createdBy.email');
  });
});

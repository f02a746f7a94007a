import { ChangeRequest, Space, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import { expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { buildChangeRequest, buildFile, buildRevision, buildSpace } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

it('creates, reads, lists and changes change requests', async ({ client, organization, admin, space }) => {
  const { status, data: made } = await client.call('createChangeRequest', [
    space._id,
    { subject: 'Words', agentTaskId: 'task1' },
  ]);
  expect([status, made.number]).toEqual([201, 1]);
  await client.call('createChangeRequest', [space._id, {}]);
  await client.call('getChangeRequestById', [space._id, made.id]);
  // Any string that names one is an id: also its number.
  expect((await client.call('getChangeRequestById', [space._id, '1'])).data.id).toBe(made.id);
  await client.call('updateChangeRequestById', [
    space._id,
    made.id,
    { subject: 'Better words', status: 'open' },
  ]);
  await client.call('updateChangeRequestById', [space._id, made.id, {}]);
  await client.call('listChangeRequestsForSpace', [space._id]);
  const filters = { limit: 1, contributor: admin.user._id, creator: admin.user._id, orderBy: 'createdAt' };
  expect(
    (await client.call('listChangeRequestsForSpace', [space._id, { ...filters, status: 'open' }])).data.items,
  ).toHaveLength(1);
  await client.call('listChangeRequestsForOrganization', [organization._id]);
  const everywhere = { ...filters, status: ['open', 'draft'], space: space._id };
  expect(
    (await client.call('listChangeRequestsForOrganization', [organization._id, everywhere])).data,
  ).toMatchObject({
    count: 2,
    items: [{ number: 2 }],
    next: { page: expect.any(String) },
  });
  await client.call('getContributorsByChangeRequestId', [space._id, made.id]);
  client.expectValid(
    ...[
      'createChangeRequest',
      'getChangeRequestById',
      'updateChangeRequestById',
      'listChangeRequestsForSpace',
    ],
    ...['listChangeRequestsForOrganization', 'getContributorsByChangeRequestId'],
  );
});

it('reads a merged change request, and gets the declared errors for changes of its status', async ({
  client,
  space,
}) => {
  const merged = await buildChangeRequest(space, {
    status: 'merged',
    revisionMerged: space.revision,
    revisionMergedAncestor: space.revision,
  });
  expect((await client.call('getChangeRequestById', [space._id, merged._id])).data.status).toBe('merged');
  expect(
    await client.refused('updateChangeRequestById', [space._id, merged._id, { status: 'open' }]),
  ).toMatchObject({ code: 409 });
  expect(
    await client.refused('updateChangeRequestById', [space._id, merged._id, { status: 'merged' }]),
  ).toMatchObject({ code: 400 });
  expect(await client.refused('getChangeRequestById', [space._id, 'nothing'])).toMatchObject({ code: 404 });
  client.expectValid('getChangeRequestById', 'updateChangeRequestById');
});

it('updates from main content, merges, and lists changes', async ({ client }) => {
  const own = await buildSpace(client.organization, { title: 'Merged' });
  const document = { title: 'Page', slug: 'page', path: 'page' };
  const pages = [{ ...document, id: `p${own._id}`, source: '# Page\n\nText.\n', description: 'Old' }];
  await buildRevision(own, {
    pages,
    files: [await buildFile(client.api.blobs, own.organization, { name: 'a.png' })],
  });
  const current = (await Space.findById(own._id).lean<SpaceRecord>()) as SpaceRecord;
  const changeRequest = await buildChangeRequest(current, { status: 'open' });
  const place = [own._id, changeRequest._id];
  const editPage = async (of: SpaceRecord | ChangeRequestRecord, text: string) => {
    const stored = await storeSource(own.organization, `# Page\n\n${text}\n`);
    await editContent(
      of,
      (edit) => {
        const layout = { cover: false };
        setFields(edit, `p${own._id}`, {
          document: stored,
          title: text,
          description: undefined,
          emoji: '1f600',
          layout,
          slug: text.toLowerCase(),
        });
        const added = {
          ...document,
          id: `${text}${own._id}`,
          title: text,
          slug: `${text}-2`,
          path: `${text}-2`,
        };
        const time = new Date().toISOString();
        edit.insert(
          { type: 'document', ...added, createdAt: time, updatedAt: time, pages: [] },
          { into: null, at: 0 },
        );
      },
      {
        files: [await buildFile(client.api.blobs, own.organization, { name: `${text}.png` })],
        reusableContents: [{ id: `r${text}`, title: text, document: stored }],
        variables: [{ name: 'x', value: text }],
      },
    );
  };
  await client.call('getChangeRequestChanges', place);
  await editPage(changeRequest, 'Mine');
  await editPage(current, 'Main');
  const { data: changes } = await client.call('getChangeRequestChanges', [...place, { limit: 2 }]);
  expect([changes.changes.length, changes.more]).toEqual([2, 4]);
  expect(
    (await client.call('getChangeRequestChanges', [...place, { limit: 100 }])).data.more,
  ).toBeUndefined();
  const { data: updated } = await client.call('updateChangeRequest', place);
  expect(updated).toMatchObject({ result: 'conflicts', revision: expect.any(String) });
  const { data: merged } = await client.call('mergeChangeRequest', place);
  expect(merged).toMatchObject({ result: 'merge' });
  for (const operation of ['updateChangeRequest', 'mergeChangeRequest']) {
    expect(await client.refused(operation, place)).toMatchObject({ code: 409 });
    expect(await client.refused(operation, [own._id, 'nothing'])).toMatchObject({ code: 404 });
  }
  await client.call('getRevisionSemanticChanges', [own._id, updated.revision]);
  const ofRevision = { metadata: false, computed: false, limit: 100 };
  const { data: ofMerge } = await client.call('getRevisionSemanticChanges', [
    own._id,
    merged.revision,
    ofRevision,
  ]);
  expect(ofMerge.mergedFrom).toMatchObject({ id: changeRequest._id });
  expect((await client.call('getRevisionById', [own._id, merged.revision])).data).toMatchObject({
    type: 'merge',
    mergedFrom: ofMerge.mergedFrom,
  });
  client.expectValid(
    ...[
      'getChangeRequestChanges',
      'updateChangeRequest',
      'mergeChangeRequest',
      'getRevisionSemanticChanges',
      'getRevisionById',
    ],
  );
});

it('requests reviews and submits them', async ({ client, reviewer, space }) => {
  const { _id: id }: ChangeRequestRecord = await buildChangeRequest(space);
  const { user, token } = reviewer;
  const { data } = await client.call('requestReviewersForChangeRequest', [
    space._id,
    id,
    { users: [user._id], subject: 'Look' },
  ]);
  expect(data.users).toHaveLength(1);
  await client.call('getRequestedReviewersByChangeRequestId', [space._id, id, { limit: 1 }]);
  const first = await client.call(
    'submitChangeRequestReview',
    [space._id, id, { status: 'changes-requested' }],
    { token },
  );
  expect(first.status).toBe(201);
  const withComment = { status: 'approved', comment: { markdown: 'Well done' } };
  const { data: review } = await client.call('submitChangeRequestReview', [space._id, id, withComment], {
    token,
  });
  expect(review).toMatchObject({
    requestedBy: { id: client.admin.user._id },
    comment: { target: { review: review.id } },
  });
  for (const format of ['markdown', 'document']) {
    await client.call('getChangeRequestReviewById', [space._id, id, review.id, { format }]);
    await client.call('getReviewsByChangeRequestId', [space._id, id, { format, limit: 1, outdated: false }]);
  }
  await client.call('removeRequestedReviewerFromChangeRequest', [space._id, id, user._id]);
  expect((await ChangeRequest.findById(id).lean())?.requestedReviewers).toEqual([]);
  client.expectValid(
    ...[
      'requestReviewersForChangeRequest',
      'getRequestedReviewersByChangeRequestId',
      'submitChangeRequestReview',
    ],
    ...[
      'getChangeRequestReviewById',
      'getReviewsByChangeRequestId',
      'removeRequestedReviewerFromChangeRequest',
    ],
  );
});

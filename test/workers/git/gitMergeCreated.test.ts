import { type PageTree } from '@bindery/content';
import { GitSyncPoint, Space, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { textOf } from '../../support/git/mergeLab.ts';
import { branchOf, reload, startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// A page that a space creates, an export writes and a merge brings back stays one page.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

async function addGroup(space: SpaceRecord): Promise<void> {
  const document = await storeSource(space.organization, '# Inner\n\nWords.\n');
  const path = 'more/inner';
  const inner = { type: 'document', id: 'inner', title: 'Inner', slug: 'inner', path, document, ...times };
  const group = { type: 'group', id: 'more', title: 'More', slug: 'more', path: 'more', ...times };
  const target = { kind: 'url', url: 'https://example.com/' };
  const link = { type: 'link', id: 'site', title: 'Site', target, ...times };
  await editContent(space, (tree) => {
    tree.insert({ ...group, pages: [{ ...inner, pages: [] }, link] } as unknown as PageTree, { into: null });
  });
}

/** The space as it was before an export that was cancelled between its push and its end. */
async function cancelledAfterPush(space: SpaceRecord, url: string): Promise<void> {
  const before = await reload(space);
  const point = await GitSyncPoint.findById(before.syncedWith).lean();
  const job = await lab.exportFrom(space, url);
  expect(job).toMatchObject({ state: 'succeeded', result: { unchanged: false, merge: {} } });
  await Space.collection.updateOne({ _id: space._id as never }, { $set: { revision: before.revision } });
  await GitSyncPoint.collection.replaceOne({ _id: point?._id as never }, point as never);
}

describe('an import that merges', () => {
  it('matches a group and a link written by an export with the ones of the space', async () => {
    const { repository, space } = await lab.inStep();
    await addGroup(space);
    await repository.git(['branch', 'review']);
    const standalone = { standalone: true, force: true, ref: 'refs/heads/review' };
    expect(await lab.exportFrom(space, repository.url, standalone)).toMatchObject({ state: 'succeeded' });
    await repository.git(['branch', '-f', 'main', 'review']);
    await lab.edit(space, 'By the space.');
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect(await lab.titlesOf(space)).toEqual(['Home', 'Guide', 'More', 'Inner', 'Site']);
    expect(await lab.pageNamed(space, 'Inner')).toMatchObject({ id: 'inner', path: 'more/inner' });
  });

  it('keeps both pages when each side adds a page with the same text', async () => {
    const { repository, space } = await lab.inStep();
    const document = await storeSource(space.organization, 'To do.\n');
    const alpha = { type: 'document', id: 'alpha', title: 'Alpha', slug: 'alpha', path: 'alpha', ...times };
    await editContent(space, (tree) => {
      tree.insert({ ...alpha, document, pages: [] } as unknown as PageTree, { into: null });
    });
    const summary = '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Beta](beta.md)\n';
    await repository.commit({ 'beta.md': 'To do.\n', 'SUMMARY.md': summary });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect((await lab.titlesOf(space)).toSorted()).toEqual(['Alpha', 'Beta', 'Guide', 'Home']);
  });

  it('keeps newer content of the space after a merging export that was cancelled after its push', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'By the space.');
    await addGroup(space);
    await repository.commit({ 'README.md': '# Home\n\nBy the branch.\n' });
    await cancelledAfterPush(space, repository.url);
    await lab.edit(space, 'By the space, later.');
    const inner = await storeSource(space.organization, '# Inner\n\nLater words.\n');
    await editContent(space, (tree) => setFields(tree, 'inner', { document: inner }));
    const job = await lab.importInto(space, repository.url);
    expect(job).toMatchObject({ state: 'succeeded' });
    expect(await textOf(space, 'Guide')).toBe('# Guide\n\nBy the space, later.\n');
    expect(await textOf(space, 'Inner')).toBe('# Inner\n\nLater words.\n');
    expect(await textOf(space, 'Home')).toBe('# Home\n\nBy the branch.\n');
    expect(await lab.titlesOf(space)).toEqual(['Home', 'Guide', 'More', 'Inner', 'Site']);
  });
});

describe('an export that merges', () => {
  it('continues from a merging export that was cancelled after its push', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'By the space.');
    await addGroup(space);
    await repository.commit({ 'README.md': '# Home\n\nBy the branch.\n' });
    await cancelledAfterPush(space, repository.url);
    await lab.edit(space, 'By the space, later.');
    const pushed = await repository.oid('main');
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect(await branchOf(repository)).toMatchObject({ parents: [pushed], changed: ['M\tguide.md'] });
    expect(await textOf(space, 'Home')).toBe('# Home\n\nBy the branch.\n');
    expect(await lab.titlesOf(space)).toEqual(['Home', 'Guide', 'More', 'Inner', 'Site']);
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: true });
  });
});

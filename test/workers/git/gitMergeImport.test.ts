import { findRevision, type PageTree } from '@bindery/content';
import { ChangeRequest, GitSyncPoint, type ChangeRequestRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeChangeRequest } from '../../../apps/api/src/resources/change-request/mergeChangeRequest.ts';
import { editContent, storeSource } from '../../support/content/editContent.ts';
import {
  guideText,
  mergeOf,
  newPage,
  startMergeLab,
  textOf,
  type MergeLab,
} from '../../support/git/mergeLab.ts';
import { branchOf, reload } from '../../support/git/syncLab.ts';

// The rows of the table in docs/git-sync.md for a space and a branch that both changed: imports.

let lab: MergeLab;
beforeAll(async () => {
  lab = await startMergeLab();
});
afterAll(() => lab.close());

describe('an import into a space that was changed', () => {
  it('keeps the changes of both sides, also in different blocks of one page', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First, by the space.', 'Second.', 'Third.'));
    await editContent(space, (tree) => tree.insert(newPage('own', 'Own page'), { into: null }));
    const before = await reload(space);
    const commit = await repository.commit({
      'guide.md': guideText('# Guide', 'First.', 'Second.', 'Third, by the branch.'),
      'faq.md': '# FAQ\n\nAsk anything.\n',
    });

    const job = await lab.importInto(space, repository.url);
    const page = await lab.pageNamed(space, 'Guide');
    expect(job).toMatchObject({
      state: 'succeeded',
      result: {
        unchanged: false,
        commit,
        merge: {
          space: before.revision,
          onConflict: 'branch',
          totals: { pages: 1, conflicts: 0 },
          pages: [{ id: page?.id, title: 'Guide', path: 'guide' }],
          conflicts: [],
        },
      },
    });
    expect(job.result).not.toHaveProperty('replaced');
    expect(await textOf(space, 'Guide')).toBe(
      guideText('# Guide', 'First, by the space.', 'Second.', 'Third, by the branch.'),
    );
    expect(await textOf(space, 'FAQ')).toBe('# FAQ\n\nAsk anything.\n');
    expect(await lab.titlesOf(space)).toContain('Own page');
    const { revision, syncedWith } = await reload(space);
    const branch = mergeOf(job)?.branch ?? '';
    expect(await findRevision(space._id, revision)).toMatchObject({
      type: 'merge',
      parents: [before.revision, branch],
    });
    expect(await GitSyncPoint.findById(syncedWith).lean()).toMatchObject({ commit, revision: branch });
    await lab.expectInSync({ repository, space });
    expect((await branchOf(repository)).parents).toEqual([commit]);
  });

  it('merges a move on one side with an edit on the other one', async () => {
    const { repository, space } = await lab.inSync();
    const [home, setup] = [await lab.pageNamed(space, 'Home'), await lab.pageNamed(space, 'Setup')];
    await editContent(space, (tree) => tree.move(setup?.id ?? '', { into: home?.id ?? '', at: 0 }));
    await lab.rewrite(space, 'FAQ', '# FAQ\n\nAsk the space.\n');
    await repository.commit({
      'setup.md': '# Setup\n\nInstall it by the branch.\n',
      'faq.md': null,
      'help/faq.md': '# FAQ\n\nAsk.\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [FAQ](help/faq.md)\n* [Setup](setup.md)\n',
    });
    expect(mergeOf(await lab.importInto(space, repository.url))?.totals.conflicts).toBe(0);
    expect(await textOf(space, 'Setup')).toBe('# Setup\n\nInstall it by the branch.\n');
    expect(await textOf(space, 'FAQ')).toBe('# FAQ\n\nAsk the space.\n');
    const { tree } = await lab.contentOf(space);
    const below = (title: string) =>
      tree.find((page) => page.title === title && 'pages' in page && page.pages.length > 0);
    expect(below('Home')).toMatchObject({ pages: [{ title: 'Setup' }] });
    expect(below('Guide')).toMatchObject({ pages: [{ title: 'FAQ' }] });
    await lab.expectInSync({ repository, space });
  });

  it('rewrites the links of a page that one side edited and the other one moved', async () => {
    const { repository, space } = await lab.inSync();
    const setup = (up: string, ...last: string[]) =>
      guideText('# Setup', `Back [home](${up}README.md).`, 'Install it where you have much room.', ...last);
    await repository.commit({ 'setup.md': setup('', 'Then restart the machine and wait.') });
    await lab.importInto(space, repository.url);
    await lab.rewrite(space, 'Setup', setup('', 'Then see [the guide](guide.md#first), restart and wait.'));
    await repository.commit({
      'setup.md': null,
      'help/setup.md': setup('../', 'Then restart the machine and wait.', 'Ask us.'),
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Setup](help/setup.md)\n* [FAQ](faq.md)\n',
    });
    const job = await lab.importInto(space, repository.url);
    expect(mergeOf(job)).toMatchObject({ totals: { pages: 1, conflicts: 0 } });
    expect(await textOf(space, 'Setup')).toBe(
      setup('../', 'Then see [the guide](../guide.md#first), restart and wait.', 'Ask us.'),
    );
    await lab.expectInSync({ repository, space });
  });

  it.each(['branch', 'space'] as const)('takes the version of the %s in a conflict', async (onConflict) => {
    const { repository, space } = await lab.inSync();
    const ofSpace = guideText('# Guide', 'First, by the space.', 'Second, by the space.', 'Third.');
    await lab.rewrite(space, 'Guide', ofSpace);
    await repository.commit({
      'guide.md': guideText('# Guide', 'First.', 'Second, by the branch.', 'Third, by the branch.'),
    });
    const job = await lab.importInto(space, repository.url, { onConflict });
    expect(mergeOf(job)).toMatchObject({
      onConflict,
      totals: { pages: 1, conflicts: 1 },
      conflicts: [
        {
          page: { title: 'Guide' },
          field: 'document',
          base: 'Second.',
          branch: 'Second, by the branch.',
          space: 'Second, by the space.',
          kept: onConflict,
        },
      ],
    });
    expect(await textOf(space, 'Guide')).toBe(
      guideText('# Guide', 'First, by the space.', `Second, by the ${onConflict}.`, 'Third, by the branch.'),
    );
    expect(job.log.map(({ message }) => message)).toContain(
      `Conflict in Guide (document): kept the version of the ${onConflict}.`,
    );
    await lab.expectInSync({ repository, space });
  });

  it('keeps a page that one side removed and the other one changed', async () => {
    const { repository, space } = await lab.inSync();
    const faq = await lab.pageNamed(space, 'FAQ');
    await editContent(space, (tree) => tree.remove(faq?.id ?? ''));
    await lab.rewrite(space, 'Setup', '# Setup\n\nInstall it by the space.\n');
    await repository.commit({
      'faq.md': '# FAQ\n\nAsk the branch.\n',
      'setup.md': null,
      'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [FAQ](faq.md)\n',
    });
    const job = await lab.importInto(space, repository.url);
    const conflicts = mergeOf(job)?.conflicts ?? [];
    expect(
      Object.fromEntries(conflicts.map(({ page, field, kept }) => [page?.title, [field, kept]])),
    ).toEqual({
      FAQ: ['deleted', 'branch'],
      Setup: ['deleted', 'space'],
    });
    expect(await textOf(space, 'FAQ')).toBe('# FAQ\n\nAsk the branch.\n');
    expect(await textOf(space, 'Setup')).toBe('# Setup\n\nInstall it by the space.\n');
    await lab.expectInSync({ repository, space });
  });

  it('puts the branch content into a change request if requested, whose merge restores the sync', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First.', 'Second, by the space.', 'Third.'));
    const before = await reload(space);
    const first = await repository.commit({
      'guide.md': guideText('# Guide', 'First.', 'Second, by the branch.', 'Third.'),
    });
    const rule = { onConflict: 'change-request' } as const;
    const job = await lab.importInto(space, repository.url, rule);
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { unchanged: true, commit: first, merge: { totals: { conflicts: 1 } } },
    });
    const id = mergeOf(job)?.changeRequest ?? '';
    const found = async () => (await ChangeRequest.findById(id).lean<ChangeRequestRecord>())!;
    expect(await found()).toMatchObject({
      status: 'open',
      number: 1,
      subject: `Changes of main at ${first.slice(0, 12)}`,
      revisionInitial: (await GitSyncPoint.findById(before.syncedWith).lean())?.revision,
    });
    expect((await reload(space)).revision).toBe(before.revision);

    // The same commit again, then a newer one: still one change request.
    expect(mergeOf(await lab.importInto(space, repository.url, rule))?.changeRequest).toBe(id);
    const second = await repository.commit({ 'faq.md': '# FAQ\n\nAsk the branch.\n' });
    expect(mergeOf(await lab.importInto(space, repository.url, rule))?.changeRequest).toBe(id);
    expect(await ChangeRequest.countDocuments({ space: space._id })).toBe(1);
    expect((await found()).git?.commit).toBe(second);
    expect((await reload(space)).counts.changeRequestsOpen).toBe(1);

    expect(await mergeChangeRequest(await found(), { by: 'nobody' })).toMatchObject({
      result: 'conflicts',
      conflicts: [{ ours: 'Second, by the space.', theirs: 'Second, by the branch.' }],
    });
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: true });
    await lab.expectInSync({ repository, space });
    expect(await textOf(space, 'FAQ')).toBe('# FAQ\n\nAsk the branch.\n');
  });

  it('merges an identical change on both sides as one change', async () => {
    const { repository, space } = await lab.inSync();
    const both = guideText('# Guide', 'First.', 'Second, by both.', 'Third.');
    await lab.rewrite(space, 'Guide', both);
    const commit = await repository.commit({ 'guide.md': both });
    const job = await lab.importInto(space, repository.url);
    expect(job).toMatchObject({ state: 'succeeded', result: { merge: { totals: { conflicts: 0 } } } });
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true, commit });
  });

  it('merges a new page that exists on both sides into one page', async () => {
    const { repository, space } = await lab.inSync();
    const document = await storeSource(space.organization, '# Own page\n\nBy the space.\n');
    await editContent(space, (tree) => {
      tree.insert({ ...newPage('own', 'Own page'), document } as PageTree, { into: null });
      tree.insert({ ...newPage('other', 'Other page'), document } as PageTree, { into: null });
    });
    // A branch of its own gets the page by a standalone export, and is merged there.
    await repository.git(['branch', 'review']);
    const standalone = { standalone: true, force: true, ref: 'refs/heads/review' };
    expect(await lab.exportFrom(space, repository.url, standalone)).toMatchObject({ state: 'succeeded' });
    await repository.git(['branch', '-f', 'main', 'review']);
    await repository.commit({ 'own.md': '# Own page\n\nBy the space.\n\nAnd by the branch.\n' });
    await lab.rewrite(space, 'FAQ', '# FAQ\n\nAsk the space.\n');
    const titles = await lab.titlesOf(space);
    const job = await lab.importInto(space, repository.url, { onConflict: 'branch' });
    expect(job.state).toBe('succeeded');
    expect(await lab.titlesOf(space)).toEqual(titles);
    expect(await lab.pageNamed(space, 'Own page')).toMatchObject({ id: 'own', path: 'own' });
    expect(await textOf(space, 'Own page')).toContain('And by the branch.');
    await lab.expectInSync({ repository, space });
  });

  it('with force, replaces the content by the branch, and lists the replaced pages', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', '# Guide\n\nBy the space.\n');
    await editContent(space, (tree) => tree.insert(newPage('own', 'Own page'), { into: null }));
    const before = (await reload(space)).revision;
    await repository.commit({ 'faq.md': '# FAQ\n\nAsk the branch.\n' });
    const job = await lab.importInto(space, repository.url, { force: true });
    expect(job.result).toMatchObject({ unchanged: false, replaced: { revision: before, total: 2 } });
    expect(job.result).not.toHaveProperty('merge');
    expect(await lab.titlesOf(space)).toEqual(['Home', 'Guide', 'Setup', 'FAQ']);
    expect(await findRevision(space._id, before)).toBeDefined();
  });

  it('in a dry run, shows the changes and the conflicts, and changes nothing', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First.', 'Second, by the space.', 'Third.'));
    await repository.commit({
      'guide.md': guideText('# Guide', 'First.', 'Second, by the branch.', 'Third.'),
      'faq.md': '# FAQ\n\nAsk the branch.\n',
    });
    const before = await reload(space);
    const job = await lab.importInto(space, repository.url, { dryRun: true, onConflict: 'space' });
    expect(job.result).toMatchObject({
      dryRun: true,
      changes: { totals: { pages: { changed: 1 } }, pages: { changed: [{ title: 'FAQ' }] } },
      merge: { totals: { conflicts: 1 }, conflicts: [{ kept: 'space' }] },
    });
    expect(await reload(space)).toEqual(before);
    const forReview = { dryRun: true, onConflict: 'change-request' } as const;
    expect((await lab.importInto(space, repository.url, forReview)).result).toMatchObject({
      unchanged: true,
      changes: { totals: { pages: { changed: 0 } } },
    });
    expect(await ChangeRequest.countDocuments({ space: space._id })).toBe(0);
  });
});

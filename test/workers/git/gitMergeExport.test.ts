import { GitSyncPoint } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideText, mergeOf, startMergeLab, textOf, type MergeLab } from '../../support/git/mergeLab.ts';
import { branchOf, reload } from '../../support/git/syncLab.ts';

// The rows of the table in docs/git-sync.md for a space and a branch that both changed: exports.

let lab: MergeLab;
beforeAll(async () => {
  lab = await startMergeLab();
});
afterAll(() => lab.close());

describe('an export to a branch that has moved', () => {
  it('merges commits of other pages, and puts one commit on top of them', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First, by the space.', 'Second.', 'Third.'));
    const moved = await repository.commit({
      'guide.md': guideText('# Guide', 'First.', 'Second.', 'Third, by the branch.'),
      'faq.md': '# FAQ\n\nAsk the branch.\n',
      'code.c': 'int main;\n',
    });
    const before = await reload(space);
    const job = await lab.exportFrom(space, repository.url);
    expect(job).toMatchObject({
      state: 'succeeded',
      result: {
        unchanged: false,
        exported: before.revision,
        files: { written: 1, removed: 0 },
        merge: { totals: { pages: 1, conflicts: 0 } },
      },
    });
    expect(await branchOf(repository)).toMatchObject({ parents: [moved], changed: ['M\tguide.md'] });
    const merged = guideText('# Guide', 'First, by the space.', 'Second.', 'Third, by the branch.');
    expect((await repository.git(['show', 'main:guide.md'])).toString()).toBe(merged);
    expect(await textOf(space, 'Guide')).toBe(merged);
    expect(await textOf(space, 'FAQ')).toBe('# FAQ\n\nAsk the branch.\n');
    await lab.expectInSync({ repository, space });
  });

  it('brings new content of the branch into an unchanged space', async () => {
    const { repository, space } = await lab.inSync();
    const commit = await repository.commit({ 'faq.md': '# FAQ\n\nAsk the branch.\n' });
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true, commit });
    expect(await repository.oid('main')).toBe(commit);
    expect(await textOf(space, 'FAQ')).toBe('# FAQ\n\nAsk the branch.\n');
    await lab.expectInSync({ repository, space });
  });

  it.each(['branch', 'space'] as const)(
    'takes the version of the %s in a conflict, if requested',
    async (onConflict) => {
      const { repository, space } = await lab.inSync();
      await lab.rewrite(space, 'Guide', guideText('# Guide', 'First.', 'Second, by the space.', 'Third.'));
      const moved = await repository.commit({
        'guide.md': guideText('# Guide', 'First.', 'Second, by the branch.', 'Third, by the branch.'),
      });
      const job = await lab.exportFrom(space, repository.url, { onConflict });
      expect(mergeOf(job)).toMatchObject({ totals: { conflicts: 1 }, conflicts: [{ kept: onConflict }] });
      const merged = guideText('# Guide', 'First.', `Second, by the ${onConflict}.`, 'Third, by the branch.');
      expect((await repository.git(['show', 'main:guide.md'])).toString()).toBe(merged);
      expect(await textOf(space, 'Guide')).toBe(merged);
      if (onConflict === 'space') expect((await branchOf(repository)).parents).toEqual([moved]);
      await lab.expectInSync({ repository, space });
    },
  );

  it('follows a branch that was force-pushed', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First, by the space.', 'Second.', 'Third.'));
    const anew = await repository.commit(
      new Map(
        Object.entries({
          'README.md': '# Home\n\nWelcome.\n',
          'guide.md': guideText('# Guide', 'First.', 'Second.'),
          'setup.md': '# Setup\n\nInstall it.\n',
        }).map(([path, words]) => [path, Buffer.from(words)]),
      ),
      { isForced: true },
    );
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect((await branchOf(repository)).parents).toEqual([anew]);
    expect(await textOf(space, 'Guide')).toBe(guideText('# Guide', 'First, by the space.', 'Second.'));
    await lab.expectInSync({ repository, space });
  });

  it('in a dry run, shows the changes, or the conflicts for which it would fail', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First.', 'Second, by the space.', 'Third.'));
    await repository.commit({ 'faq.md': '# FAQ\n\nAsk the branch.\n' });
    const before = await reload(space);
    expect((await lab.exportFrom(space, repository.url, { dryRun: true })).result).toMatchObject({
      dryRun: true,
      changes: {
        needsForce: false,
        totals: { files: { changed: 1 } },
        files: { changed: [{ path: 'guide.md' }] },
      },
      merge: { totals: { conflicts: 0 } },
    });
    await repository.commit({
      'guide.md': guideText('# Guide', 'First.', 'Second, by the branch.', 'Third.'),
    });
    expect((await lab.exportFrom(space, repository.url, { dryRun: true })).result).toMatchObject({
      changes: { needsForce: true },
      merge: { onConflict: 'fail', totals: { conflicts: 1 } },
    });
    expect(await reload(space)).toEqual(before);
  });

  it('standalone, changes neither the space nor its last synced state', async () => {
    const { repository, space } = await lab.inSync();
    await lab.rewrite(space, 'Guide', guideText('# Guide', 'First, by the space.', 'Second.', 'Third.'));
    const moved = await repository.commit({ 'faq.md': '# FAQ\n\nAsk the branch.\n' });
    const [before, point] = [await reload(space), await GitSyncPoint.find({ space: space._id }).lean()];
    expect(await lab.exportFrom(space, repository.url, { standalone: true })).toMatchObject({
      state: 'succeeded',
    });
    expect((await branchOf(repository)).parents).toEqual([moved]);
    expect(await reload(space)).toEqual(before);
    expect(await GitSyncPoint.find({ space: space._id }).lean()).toEqual(point);
    await lab.expectInSync({ repository, space });
  });
});

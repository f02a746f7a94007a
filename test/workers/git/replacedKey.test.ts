import { findUnnamedSyncs, GitSyncPoint, type GitSyncPointRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideText, mergeOf, startMergeLab, textOf, type MergeLab } from '../../support/git/mergeLab.ts';
import { reload } from '../../support/git/syncLab.ts';

let lab: MergeLab;
beforeAll(async () => {
  lab = await startMergeLab();
});
afterAll(() => lab.close());

describe('a space in sync when the key of the platform is replaced', () => {
  it('merges the changes of both sides, also after further keys', async () => {
    const { repository, space } = await lab.inSync();
    const { syncedWith } = await reload(space);
    // As a record of an earlier version.
    await GitSyncPoint.updateOne({ _id: syncedWith }, { $unset: { remote: 1 } });
    expect((await findUnnamedSyncs()).named).toContain(space._id);
    for (const round of ['1', '2', '3']) {
      lab.replaceKey();
      await lab.rewrite(
        space,
        'Guide',
        guideText('# Guide', `First, by the space ${round}.`, 'Second.', 'Third.'),
      );
      await repository.commit({ 'faq.md': `# FAQ\n\nAsk the branch ${round}.\n` });
      const job = await lab.importInto(space, repository.url);
      expect(mergeOf(job)?.totals).toMatchObject({ conflicts: 0 });
      expect(await textOf(space, 'Guide')).toContain(`by the space ${round}.`);
      expect(await textOf(space, 'FAQ')).toContain(`Ask the branch ${round}.`);
      expect((await reload(space)).syncedWith).toBe(syncedWith);
      await lab.expectInSync({ repository, space });
    }
    expect(await GitSyncPoint.countDocuments({ space: space._id })).toBe(1);
    expect((await findUnnamedSyncs()).named).not.toContain(space._id);
  });

  it('continues from the last synced state when an earlier version has left two', async () => {
    const { repository, space } = await lab.inSync();
    const { syncedWith } = await reload(space);
    const point = (await GitSyncPoint.findById(syncedWith).lean<GitSyncPointRecord>())!;
    const stale = { ...point, commit: '0'.repeat(40), revision: newId(), trees: undefined };
    // Both are found: one by the name, one by the id.
    await GitSyncPoint.create({ ...stale, _id: newId() });
    await lab.rewrite(space, 'Setup', '# Setup\n\nInstall it by the space.\n');
    await repository.commit({ 'faq.md': '# FAQ\n\nAsk the branch.\n' });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect(await textOf(space, 'Setup')).toContain('by the space');
    expect(await textOf(space, 'FAQ')).toContain('the branch');
    expect((await reload(space)).syncedWith).toBe(syncedWith);
  });
});

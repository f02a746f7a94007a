import { GitSyncPoint } from '@bindery/models';
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
  });
});

import type { GitMerge } from '@bindery/contract';
import { ChangeRequest, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeChangeRequest } from '../../../apps/api/src/resources/change-request/mergeChangeRequest.ts';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// A change request that an import opened, merged after the branch and the space went on without it.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

const guide = (words: string) => `# Guide\n\n${words}\n`;
const forReview = { onConflict: 'change-request' } as const;

/** Returns a space whose import of a branch opened a change request. */
async function inReview() {
  const { repository, space } = await lab.inStep();
  await lab.edit(space, 'By the space.');
  await repository.commit({ 'guide.md': guide('By the branch.'), 'README.md': '# Home\n\nWrong.\n' });
  const { result } = await lab.importInto(space, repository.url, forReview);
  const id = (result as { merge?: GitMerge }).merge?.changeRequest ?? '';
  const found = async () => (await ChangeRequest.findById(id).lean<ChangeRequestRecord>())!;
  expect(await found()).toMatchObject({ status: 'open' });
  const show = async (path: string) => (await repository.git(['show', `main:${path}`])).toString();
  return { repository, space, found, show };
}

async function editHome(place: SpaceRecord | ChangeRequestRecord): Promise<void> {
  const document = await storeSource(place.organization, '# Home\n\nBy the reviewer.\n');
  await editContent(place, (tree) => {
    const [home] = tree.list(null);
    setFields(tree, home?.id ?? '', { document });
  });
}

describe('a change request with an earlier commit of the branch', () => {
  it('keeps content that the space has imported from the branch since', async () => {
    const { repository, space, found, show } = await inReview();
    const commit = await repository.commit({ 'guide.md': guide('Final.'), 'README.md': '# Home\n' });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect(await mergeChangeRequest(await found(), { by: 'nobody' })).toMatchObject({ result: 'merge' });
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true, commit });
    expect(await show('guide.md')).toBe(guide('Final.'));
  });

  it('does not bring back content that the branch has reverted since', async () => {
    const { repository, space, found, show } = await inReview();
    await repository.commit({ 'guide.md': guide('Words.'), 'README.md': '# Home\n' });
    await lab.importInto(space, repository.url, forReview);
    expect(await mergeChangeRequest(await found(), { by: 'nobody' })).toMatchObject({ result: 'merge' });
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect([await show('README.md'), await show('guide.md')]).toEqual(['# Home\n', guide('By the space.')]);
  });

  it('still merges its own edits', async () => {
    const { repository, space, found, show } = await inReview();
    await editHome(await found());
    await repository.commit({ 'guide.md': guide('Final.') });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    await mergeChangeRequest(await found(), { by: 'nobody' });
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect([await show('README.md'), await show('guide.md')]).toEqual([
      '# Home\n\nBy the reviewer.\n',
      guide('Final.'),
    ]);
  });
});

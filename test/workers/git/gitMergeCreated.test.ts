import type { PageTree } from '@bindery/content';
import type { SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent, storeSource } from '../../support/content/editContent.ts';
import { startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// What a space created, an export wrote, and a merge brings back is one thing, not two.

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

describe('an import that merges', () => {
  it('takes a group and a link that an export wrote as those of the space', async () => {
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

  it('keeps two pages that both sides began with the same text', async () => {
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
});

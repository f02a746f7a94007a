import { findRevision } from '@bindery/content';
import { GitSyncPoint, Space } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { flatten } from '../../support/git/importing.ts';
import { branchOf, reload, startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// One test for each row of the table in docs/git-sync.md: what an export does, by what space and branch have
// in common.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

describe('an export', { timeout: 60_000 }, () => {
  it('in sync: commits nothing', async () => {
    const { repository, space } = await lab.inStep();
    const before = await reload(space);
    for (const force of [false, true]) {
      const job = await lab.exportFrom(space, repository.url, { force });
      expect(job).toMatchObject({
        state: 'succeeded',
        result: { unchanged: true, revision: before.revision },
      });
    }
    expect((await branchOf(repository)).commits).toHaveLength(1);
    expect(await reload(space)).toEqual(before);
  });

  it('space ahead: commits the changes, and is then in sync', async () => {
    const { repository, space } = await lab.inStep();
    const base = await repository.oid('main');
    const edited = await lab.edit(space, 'Written in the space.');
    const job = await lab.exportFrom(space, repository.url, {
      commitMessage: 'Say more\n\nIn the guide.',
      timestamp: '2026-04-01T00:00:00Z',
      repoCommitUrl: 'https://git.example.org/commit/',
      gitInfo: { provider: 'github', url: 'https://git.example.org/tree' },
    });
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false, exported: edited._id, files: { written: 1, removed: 0 } },
    });
    const branch = await branchOf(repository);
    expect(branch).toMatchObject({
      commits: ['Say more', 'Change the documentation'],
      parents: [base],
      changed: ['M\tguide.md'],
    });
    const said = (
      await repository.git(['log', '-1', '--format=%an|%ae|%cn|%at|%ct|%ai|%B', 'main'])
    ).toString();
    const at = Math.floor(job.createdAt.getTime() / 1_000);
    expect(said).toMatch(
      new RegExp(`^Ada\\|[^|]+@example\\.org\\|bindery-bot\\|${at}\\|${at}\\|[^|]+ \\+0000\\|`),
    );
    expect(said).toContain(`Say more\n\nIn the guide.\n\nBindery-Job: ${job._id}\n`);

    const now = await reload(space);
    const git = {
      oid: branch.oid,
      message: 'Say more\n\nIn the guide.',
      createdByDocs: true,
      url: `https://git.example.org/commit/${branch.oid}`,
    };
    const shown = await findRevision(space._id, now.revision);
    expect(shown).toMatchObject({
      parents: [edited._id],
      type: 'edits',
      git: { ...git, ref: 'refs/heads/main' },
    });
    expect(await findRevision(space._id, edited._id)).toMatchObject({ git });
    expect(await lab.pageNamed(space, 'Guide')).toMatchObject({
      git: { path: 'guide.md', oid: await repository.oid('main:guide.md') },
    });
    expect(now).toMatchObject({
      lastGitTimestamp: new Date('2026-04-01T00:00:00Z'),
      gitSync: { provider: 'github' },
    });

    expect((await lab.importInto(space, repository.url)).result).toMatchObject({
      unchanged: true,
      revision: now.revision,
    });
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true });
  });

  it('of a page with links to ids: writes paths, and the next import leaves the page alone', async () => {
    const { repository, space } = await lab.inStep();
    const home = await lab.pageNamed(space, 'Home');
    await lab.edit(space, `See [home](/pages/${home?.id}).`);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect((await repository.git(['show', 'main:guide.md'])).toString()).toBe(
      '# Guide\n\nSee [home](README.md).\n',
    );
    const exported = await lab.pageNamed(space, 'Guide');
    await repository.commit({ 'README.md': '# Home\n\nWritten elsewhere.\n' });
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: false });
    expect(await lab.pageNamed(space, 'Guide')).toEqual(exported);
  });

  it('of a page that gets a first child: moves its file, and updates the links to and from it', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'Back [home](README.md).');
    const [home, guide] = [await lab.pageNamed(space, 'Home'), await lab.pageNamed(space, 'Guide')];
    const document = await storeSource(space.organization, '# Home\n\nTo the [guide](guide.md).\n');
    const child = await storeSource(
      space.organization,
      `# Child\n\nUp to the [guide](/pages/${guide?.id}).\n`,
    );
    const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
    await editContent(space, (tree) => {
      setFields(tree, home?.id ?? '', { document });
      const page = {
        type: 'document' as const,
        id: 'childpage',
        title: 'Child',
        slug: 'child',
        path: 'guide/child',
        document: child,
        pages: [],
      };
      tree.insert({ ...page, ...times }, { into: guide?.id ?? '' });
    });
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    const files = (await repository.git(['ls-tree', '-r', '--name-only', 'main']))
      .toString()
      .trim()
      .split('\n');
    expect(files).toEqual(['README.md', 'SUMMARY.md', 'guide/README.md', 'guide/child.md']);
    const show = async (path: string) => (await repository.git(['show', `main:${path}`])).toString();
    expect(await show('README.md')).toContain('[guide](guide/README.md)');
    expect(await show('guide/README.md')).toContain('[home](../README.md)');
    expect(await show('guide/child.md')).toContain('[guide](README.md)');
    // The space then shows the same content as an import of the commit.
    const mine = await lab.contentOf(space);
    const other = await lab.newSpace();
    await lab.importInto(other, repository.url);
    const documentsOf = (tree: Parameters<typeof flatten>[0]) =>
      flatten(tree).map(({ page }) =>
        page.type === 'document' ? [page.title, page.path, page.document, page.git] : [page.title],
      );
    expect(documentsOf(mine.tree)).toEqual(documentsOf((await lab.contentOf(other)).tree));
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true });
    await repository.commit({ 'notes.txt': 'Not a page.' });
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: false });
    expect((await lab.contentOf(space)).revision.pages).toBe(mine.revision.pages);
  });

  it('conflicting lines: fails with a remedy, and changes nothing; force commits on top', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'Written in the space.');
    const theirs = await repository.commit({
      'guide.md': '# Guide\n\nWritten elsewhere.\n',
      'notes.txt': 'Notes.',
    });
    const before = await reload(space);
    const job = await lab.exportFrom(space, repository.url);
    expect(job).toMatchObject({
      state: 'failed',
      error: { code: 'not_fast_forward', action: expect.stringContaining('onConflict') },
    });
    const synced = await repository.oid('main^');
    expect(job.error?.message).toContain(
      `at commit ${theirs}, and the space was last in sync with commit ${synced}: both changed the same parts of the page "guide".`,
    );
    expect(await repository.oid('main')).toBe(theirs);
    expect(await reload(space)).toEqual(before);

    const forced = await lab.exportFrom(space, repository.url, { force: true });
    expect(forced).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
    const branch = await branchOf(repository);
    expect(branch).toMatchObject({ parents: [theirs], changed: ['M\tguide.md'] });
    expect((await repository.git(['show', 'main:notes.txt'])).toString()).toBe('Notes.');
    expect((await repository.git(['show', 'main:guide.md'])).toString()).toContain('in the space');
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: true });
  });

  it('never synced: fails for different content on the branch, and goes on for equal content', async () => {
    const { space } = await lab.inStep();
    const other = await lab.gitServer.createRepository(lab.newName(), {
      'README.md': '# Something else\n',
      'code.c': 'int x;\n',
    });
    const refused = await lab.exportFrom(space, other.url);
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'not_fast_forward' } });
    expect(refused.error?.message).toContain(
      `at commit ${await other.oid('main')}, which has content that the space never had`,
    );
    expect(await lab.exportFrom(space, other.url, { force: true })).toMatchObject({ state: 'succeeded' });
    // The folders alone say what SUMMARY.md would.
    expect(await branchOf(other)).toMatchObject({ changed: ['M\tREADME.md', 'A\tguide.md'] });

    const same = await lab.newRepository();
    expect((await lab.exportFrom(space, same.url)).result).toMatchObject({
      unchanged: true,
      commit: await same.oid('main'),
    });
    await lab.edit(space, 'Written in the space.');
    expect(await lab.exportFrom(space, same.url)).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false },
    });
  });

  it('empty remote or missing branch: makes the first commit', async () => {
    const { space } = await lab.inStep();
    const empty = await lab.gitServer.createRepository(lab.newName(), {});
    expect(await lab.exportFrom(space, empty.url)).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false },
    });
    expect(await branchOf(empty)).toMatchObject({
      parents: [],
      changed: ['A\tREADME.md', 'A\tSUMMARY.md', 'A\tguide.md'],
    });
    await empty.git(['fsck', '--strict']);
    expect(await lab.exportFrom(space, empty.url, { ref: 'refs/heads/second' })).toMatchObject({
      state: 'succeeded',
    });
    expect(await empty.oid('second^{tree}')).toBe(await empty.oid('main^{tree}'));
  });

  it('of a deleted branch: fails unless forced', async () => {
    const { repository, space } = await lab.inStep();
    await repository.git(['branch', '-m', 'main', 'elsewhere']);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({
      state: 'failed',
      error: { code: 'not_fast_forward' },
    });
    expect(await lab.exportFrom(space, repository.url, { force: true })).toMatchObject({
      state: 'succeeded',
    });
    expect((await branchOf(repository)).parents).toEqual([]);
  });

  it('older than the last applied event: is dropped unless forced', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'Written in the space.');
    await Space.updateOne(
      { _id: space._id },
      { $set: { lastGitTimestamp: new Date('2026-04-01T00:00:00Z') } },
    );
    const timestamp = '2026-03-31T00:00:00Z';
    expect((await lab.exportFrom(space, repository.url, { timestamp })).state).toBe('superseded');
    expect((await branchOf(repository)).commits).toHaveLength(1);
    expect((await lab.exportFrom(space, repository.url, { timestamp, force: true })).state).toBe('succeeded');
  });

  it('standalone: commits, and changes neither the space nor its sync point', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'Written in the space.');
    const before = await reload(space);
    const points = await GitSyncPoint.find({ space: space._id }).lean();
    expect(await lab.exportFrom(space, repository.url, { standalone: true })).toMatchObject({
      state: 'succeeded',
      result: { standalone: true },
    });
    expect((await branchOf(repository)).changed).toEqual(['M\tguide.md']);
    expect(await reload(space)).toEqual(before);
    expect(await GitSyncPoint.find({ space: space._id }).lean()).toEqual(points);
  });

  it('works on a locked space', async () => {
    const { repository, space } = await lab.inStep();
    await lab.edit(space, 'Written in the space.');
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    expect((await lab.exportFrom(space, repository.url)).state).toBe('succeeded');
  });
});

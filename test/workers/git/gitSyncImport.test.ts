import { findRevision } from '@bindery/content';
import { GitSyncPoint, Space } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent } from '../../support/content/editContent.ts';
import { reload, syncFiles, text, startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// One test for each row of the table in docs/git-sync.md: what an import does, by what space and branch have
// in common.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

describe('an import', () => {
  it('in sync: changes nothing, also with force', async () => {
    const { repository, space, job } = await lab.inStep();
    for (const force of [false, true]) {
      const again = await lab.importInto(space, repository.url, { force });
      expect(again.result).toMatchObject({ unchanged: true, revision: job.result?.['revision'] });
    }
    expect((await reload(space)).revision).toBe(job.result?.['revision']);
  });

  it('space ahead: keeps newer content of the space unless forced, and lists the replaced pages', async () => {
    const { repository, space } = await lab.inStep();
    const edited = await lab.edit(space, 'Written in the space.');
    const again = await lab.importInto(space, repository.url, { timestamp: new Date().toISOString() });
    expect(again.result).toMatchObject({ unchanged: true, revision: edited._id });
    expect(again.log.map(({ message }) => message).join()).toContain('export it');
    expect((await reload(space)).revision).toBe(edited._id);

    const forced = await lab.importInto(space, repository.url, { force: true });
    const guide = await lab.pageNamed(space, 'Guide');
    expect(forced.result).toMatchObject({
      unchanged: false,
      replaced: { revision: edited._id, total: 1, pages: [{ id: guide?.id, title: 'Guide' }] },
    });
    // The replaced revision can still be read.
    expect(await findRevision(space._id, edited._id)).toBeDefined();
  });

  it('branch ahead: imports the new content', async () => {
    const { repository, space } = await lab.inStep();
    const commit = await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    const job = await lab.importInto(space, repository.url);
    expect(job.result).toMatchObject({ unchanged: false, commit });
    expect(job.result?.['replaced']).toBeUndefined();
    expect((await GitSyncPoint.findOne({ space: space._id }).lean())?.commit).toBe(commit);
  });

  it('space ahead, and a commit outside of its folder: keeps newer content of the space', async () => {
    const repository = await lab.gitServer.createRepository(
      lab.newName(),
      new Map(
        [...syncFiles()].flatMap(([path, bytes]) =>
          [`one/${path}`, `two/${path}`].map((at) => [at, bytes] as const),
        ),
      ),
    );
    const [one, two] = [await lab.newSpace(), await lab.newSpace()];
    await lab.importInto(one, repository.url, { projectDirectory: 'one' });
    await lab.importInto(two, repository.url, { projectDirectory: 'two' });
    const edited = await lab.edit(one, 'Written in the first.');
    await lab.edit(two, 'Written in the second.');
    // Neither has to have what the other one writes.
    expect(await lab.exportFrom(two, repository.url, { projectDirectory: 'two' })).toMatchObject({
      state: 'succeeded',
    });
    const commit = await repository.oid('main');
    const imported = await lab.importInto(one, repository.url, { projectDirectory: 'one' });
    expect(imported.result).toMatchObject({ unchanged: true, commit, revision: edited._id });
    expect(await lab.exportFrom(one, repository.url, { projectDirectory: 'one' })).toMatchObject({
      state: 'succeeded',
    });
    await lab.edit(two, 'Written in the second again.');
    expect(await lab.exportFrom(two, repository.url, { projectDirectory: 'two' })).toMatchObject({
      state: 'succeeded',
    });
    const changed = await repository.git(['log', '--format=%s', '--name-only', 'main']);
    expect(
      changed
        .toString()
        .match(/(one|two)\/guide.md/g)
        ?.slice(0, 3),
    ).toEqual(['two/guide.md', 'one/guide.md', 'two/guide.md']);
  });

  it('never synced: replaces the content of the space', async () => {
    const space = await lab.newSpace();
    await editContent(space, (tree) =>
      tree.insert(
        {
          type: 'document',
          id: 'first',
          title: 'First',
          slug: 'first',
          path: 'first',
          createdAt: 'now',
          updatedAt: 'now',
          pages: [],
        },
        { into: null },
      ),
    );
    const job = await lab.importInto(space, (await lab.newRepository()).url);
    expect(job.result).toMatchObject({
      replaced: { total: 2, pages: [{ title: 'Space' }, { id: 'first', title: 'First' }] },
    });
    const untouched = await lab.importInto(await lab.newSpace(), (await lab.newRepository()).url);
    expect(untouched.result?.['replaced']).toBeUndefined();
  });

  it('of a force-pushed branch: follows it', async () => {
    const { repository, space } = await lab.inStep();
    await repository.commit(syncFiles('A new beginning.'), { isForced: true });
    const job = await lab.importInto(space, repository.url);
    expect(job.result).toMatchObject({ unchanged: false });
  });

  it('after an import of another branch: imports the first branch again', async () => {
    const { repository, space, job: first } = await lab.inStep();
    await repository.git(['branch', 'other', 'main']);
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    await lab.importInto(space, repository.url);
    const other = await lab.importInto(space, repository.url, { ref: 'refs/heads/other' });
    expect(other.result).toMatchObject({ unchanged: false, commit: first.result?.['commit'] });
    const back = await lab.importInto(space, repository.url);
    expect(back.result).toMatchObject({ unchanged: false });
  });

  it('older than the last applied event: is dropped unless forced', async () => {
    const { repository, space } = await lab.inStep();
    await lab.importInto(space, repository.url, { timestamp: '2026-02-02T00:00:00Z' });
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    const before = await reload(space);
    for (const timestamp of ['2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z']) {
      expect((await lab.importInto(space, repository.url, { timestamp })).state).toBe('superseded');
    }
    expect(await reload(space)).toEqual(before);
    const forced = await lab.importInto(space, repository.url, {
      timestamp: '2026-02-01T00:00:00Z',
      force: true,
    });
    expect(forced).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
    expect((await reload(space)).lastGitTimestamp?.toISOString()).toBe('2026-02-02T00:00:00.000Z');
  });

  it('standalone, of any ref: makes a revision and does not change the space', async () => {
    const { repository, space } = await lab.inStep();
    await repository.commit(new Map([['guide.md', text('# Guide\n\nA proposal.\n')]]));
    for (const ref of ['refs/pull/7/head', 'refs/pull/7/merge', 'refs/merge-requests/3/head'])
      await repository.git(['update-ref', ref, 'main']);
    const before = await reload(space);
    const points = await GitSyncPoint.find({ space: space._id }).lean();
    for (const ref of [
      'refs/heads/main',
      'refs/pull/7/head',
      'refs/pull/7/merge',
      'refs/merge-requests/3/head',
    ]) {
      const job = await lab.importInto(space, repository.url, { ref, standalone: true });
      expect(job.result).toMatchObject({ standalone: true, unchanged: false });
      expect(await findRevision(space._id, String(job.result?.['revision']))).toMatchObject({
        parents: [],
        git: { ref },
      });
    }
    expect(await reload(space)).toEqual(before);
    expect(await GitSyncPoint.find({ space: space._id }).lean()).toEqual(points);
  });

  it('works on a locked space', async () => {
    const { repository, space } = await lab.inStep();
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: false });
  });

  it('of a deleted branch: fails and changes nothing', async () => {
    const { repository, space } = await lab.inStep();
    await repository.git(['branch', '-m', 'main', 'gone']);
    const before = await reload(space);
    expect(await lab.importInto(space, repository.url)).toMatchObject({
      state: 'failed',
      error: { code: 'not_found' },
    });
    expect(await reload(space)).toEqual(before);
  });
});

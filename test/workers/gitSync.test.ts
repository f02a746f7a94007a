import { findRevision } from '@bindery/content';
import { GitSyncPoint, Space, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent, setFields, storeSource } from '../support/editContent.ts';
import type { GitRepository } from '../support/gitRepository.ts';
import { flatten, startImportLab, type ImportLab } from '../support/importing.ts';

// One test for each row of the table in docs/git-sync.md: what an import and an export do, by what space and branch have in common.

let lab: ImportLab;
let names = 0;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

const text = (words: string) => Buffer.from(words);
const files = (words = 'Words.') =>
  new Map([
    ['README.md', text('# Home\n')],
    ['SUMMARY.md', text('# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n')],
    ['guide.md', text(`# Guide\n\n${words}\n`)],
  ]);

const newRepository = () => lab.gitServer.createRepository(`sync${(names += 1)}.git`, files());

/** A space and a branch that are in step. */
async function inStep() {
  const repository = await newRepository();
  const space = await lab.newSpace();
  const job = await lab.importInto(space, repository.url);
  expect(job.state).toBe('succeeded');
  return { repository, space, job };
}

const reload = async ({ _id }: SpaceRecord) => (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;
const pageNamed = async (space: SpaceRecord, title: string) =>
  flatten((await lab.contentOf(space)).tree)
    .map(({ page }) => page)
    .find((page) => page.title === title);

/** Somebody writes another text into the guide of a space. */
async function edit(space: SpaceRecord, words: string) {
  const guide = await pageNamed(space, 'Guide');
  const document = await storeSource(space.organization, `# Guide\n\n${words}\n`);
  return editContent(space, (tree) => setFields(tree, guide?.id ?? '', { document }));
}

async function titlesOf(space: SpaceRecord) {
  return flatten((await lab.contentOf(space)).tree).map(({ page }) => page.title);
}

describe('an import', () => {
  it('in step: changes nothing, also with force', async () => {
    const { repository, space, job } = await inStep();
    for (const force of [false, true]) {
      const again = await lab.importInto(space, repository.url, { force });
      expect(again.result).toMatchObject({ unchanged: true, revision: job.result?.['revision'] });
    }
    expect((await reload(space)).revision).toBe(job.result?.['revision']);
  });

  it('space ahead: leaves what is newer than the branch, unless forced, and names what it takes away', async () => {
    const { repository, space } = await inStep();
    const edited = await edit(space, 'Written in the space.');
    const again = await lab.importInto(space, repository.url, { timestamp: new Date().toISOString() });
    expect(again.result).toMatchObject({ unchanged: true, revision: edited._id });
    expect(again.log.map(({ message }) => message).join()).toContain('export it');
    expect((await reload(space)).revision).toBe(edited._id);

    const forced = await lab.importInto(space, repository.url, { force: true });
    const guide = await pageNamed(space, 'Guide');
    expect(forced.result).toMatchObject({
      unchanged: false,
      replaced: { revision: edited._id, total: 1, pages: [{ id: guide?.id, title: 'Guide' }] },
    });
    // What was lost is there to be read.
    expect(await findRevision(space._id, edited._id)).toBeDefined();
  });

  it('branch ahead: brings what is new', async () => {
    const { repository, space } = await inStep();
    const commit = await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    const job = await lab.importInto(space, repository.url);
    expect(job.result).toMatchObject({ unchanged: false, commit });
    expect(job.result?.['replaced']).toBeUndefined();
    expect((await GitSyncPoint.findOne({ space: space._id }).lean())?.commit).toBe(commit);
  });

  it('both ahead: the branch wins, and what it took away is named', async () => {
    const { repository, space } = await inStep();
    const edited = await edit(space, 'Written in the space.');
    await editContent(space, (tree) =>
      tree.insert(
        { type: 'document', id: 'ownpage', title: 'Own page', slug: 'own', path: 'own', createdAt: 'now', updatedAt: 'now', pages: [] },
        { into: null },
      ),
    );
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    const before = (await reload(space)).revision;
    const job = await lab.importInto(space, repository.url);
    expect(job.result).toMatchObject({ unchanged: false, replaced: { revision: before, total: 2 } });
    const { pages } = job.result!['replaced'] as { pages: { title: string }[] };
    expect(pages.map(({ title }) => title).toSorted()).toEqual(['Guide', 'Own page']);
    expect(job.log.filter(({ level }) => level === 'warning').map(({ message }) => message)).toContain('Replaced: Own page');
    expect(await titlesOf(space)).toEqual(['Home', 'Guide']);
    expect(await findRevision(space._id, before)).toMatchObject({ parents: [edited._id] });
  });

  it('never met: takes the place of what the space had', async () => {
    const space = await lab.newSpace();
    await editContent(space, (tree) =>
      tree.insert(
        { type: 'document', id: 'first', title: 'First', slug: 'first', path: 'first', createdAt: 'now', updatedAt: 'now', pages: [] },
        { into: null },
      ),
    );
    const job = await lab.importInto(space, (await newRepository()).url);
    expect(job.result).toMatchObject({ replaced: { total: 2, pages: [{ title: 'Space' }, { id: 'first', title: 'First' }] } });
    const untouched = await lab.importInto(await lab.newSpace(), (await newRepository()).url);
    expect(untouched.result?.['replaced']).toBeUndefined();
  });

  it('force-pushed branch: is followed', async () => {
    const { repository, space } = await inStep();
    await repository.commit(files('A new beginning.'), { isForced: true });
    const job = await lab.importInto(space, repository.url);
    expect(job.result).toMatchObject({ unchanged: false });
  });

  it('of another branch in between: is one of the branch that is imported again', async () => {
    const { repository, space, job: first } = await inStep();
    await repository.git(['branch', 'other', 'main']);
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    await lab.importInto(space, repository.url);
    const other = await lab.importInto(space, repository.url, { ref: 'refs/heads/other' });
    expect(other.result).toMatchObject({ unchanged: false, commit: first.result?.['commit'] });
    const back = await lab.importInto(space, repository.url);
    expect(back.result).toMatchObject({ unchanged: false });
  });

  it('older than what was applied last: is dropped, unless forced', async () => {
    const { repository, space } = await inStep();
    await lab.importInto(space, repository.url, { timestamp: '2026-02-02T00:00:00Z' });
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    const before = await reload(space);
    for (const timestamp of ['2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z']) {
      expect((await lab.importInto(space, repository.url, { timestamp })).state).toBe('superseded');
    }
    expect(await reload(space)).toEqual(before);
    const forced = await lab.importInto(space, repository.url, { timestamp: '2026-02-01T00:00:00Z', force: true });
    expect(forced).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
    expect((await reload(space)).lastGitTimestamp?.toISOString()).toBe('2026-02-02T00:00:00.000Z');
  });

  it('standalone, of any ref: makes a revision and leaves the space alone', async () => {
    const { repository, space } = await inStep();
    await repository.commit(new Map([['guide.md', text('# Guide\n\nA proposal.\n')]]));
    for (const ref of ['refs/pull/7/head', 'refs/pull/7/merge', 'refs/merge-requests/3/head'])
      await repository.git(['update-ref', ref, 'main']);
    const before = await reload(space);
    const points = await GitSyncPoint.find({ space: space._id }).lean();
    for (const ref of ['refs/heads/main', 'refs/pull/7/head', 'refs/pull/7/merge', 'refs/merge-requests/3/head']) {
      const job = await lab.importInto(space, repository.url, { ref, standalone: true });
      expect(job.result).toMatchObject({ standalone: true, unchanged: false });
      expect(await findRevision(space._id, String(job.result?.['revision']))).toMatchObject({ parents: [], git: { ref } });
    }
    expect(await reload(space)).toEqual(before);
    expect(await GitSyncPoint.find({ space: space._id }).lean()).toEqual(points);
  });

  it('works on a locked space', async () => {
    const { repository, space } = await inStep();
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    await repository.commit(new Map([['guide.md', text('# Guide\n\nNew words.\n')]]));
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: false });
  });

  it('of a branch that is gone: fails and changes nothing', async () => {
    const { repository, space } = await inStep();
    await repository.git(['branch', '-m', 'main', 'gone']);
    const before = await reload(space);
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
    expect(await reload(space)).toEqual(before);
  });
});

/** What git itself says of a branch. */
async function branchOf(repository: GitRepository, ref = 'main') {
  const line = async (...args: string[]) => (await repository.git(args)).toString().trim();
  return {
    oid: await repository.oid(ref),
    commits: (await line('log', '--format=%s', ref)).split('\n'),
    parents: (await line('log', '-1', '--format=%P', ref)).split(' ').filter(Boolean),
    changed: (await line('diff-tree', '--root', '--no-commit-id', '-r', '--name-status', '--no-renames', ref)).split('\n').filter(Boolean),
  };
}

describe('an export', { timeout: 60_000 }, () => {
  it('in step: commits nothing', async () => {
    const { repository, space } = await inStep();
    const before = await reload(space);
    for (const force of [false, true]) {
      const job = await lab.exportFrom(space, repository.url, { force });
      expect(job).toMatchObject({ state: 'succeeded', result: { unchanged: true, revision: before.revision } });
    }
    expect((await branchOf(repository)).commits).toHaveLength(1);
    expect(await reload(space)).toEqual(before);
  });

  it('space ahead: commits what changed, and is in step then', async () => {
    const { repository, space } = await inStep();
    const base = await repository.oid('main');
    const edited = await edit(space, 'Written in the space.');
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
    expect(branch).toMatchObject({ commits: ['Say more', 'Change the documentation'], parents: [base], changed: ['M\tguide.md'] });
    const said = (await repository.git(['log', '-1', '--format=%an|%ae|%cn|%at|%ct|%ai|%B', 'main'])).toString();
    const at = Math.floor(job.createdAt.getTime() / 1_000);
    expect(said).toMatch(new RegExp(`^Ada\\|[^|]+@example\\.org\\|bindery-bot\\|${at}\\|${at}\\|[^|]+ \\+0000\\|`));
    expect(said).toContain(`Say more\n\nIn the guide.\n\nBindery-Job: ${job._id}\n`);

    const now = await reload(space);
    const git = {
      oid: branch.oid,
      message: 'Say more\n\nIn the guide.',
      createdByDocs: true,
      url: `https://git.example.org/commit/${branch.oid}`,
    };
    const shown = await findRevision(space._id, now.revision);
    expect(shown).toMatchObject({ parents: [edited._id], type: 'edits', git: { ...git, ref: 'refs/heads/main' } });
    expect(await findRevision(space._id, edited._id)).toMatchObject({ git });
    expect(await pageNamed(space, 'Guide')).toMatchObject({ git: { path: 'guide.md', oid: await repository.oid('main:guide.md') } });
    expect(now).toMatchObject({ lastGitTimestamp: new Date('2026-04-01T00:00:00Z'), gitSync: { provider: 'github' } });

    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: true, revision: now.revision });
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true });
  });

  it('of a page with links to ids: writes paths, and the next import leaves the page alone', async () => {
    const { repository, space } = await inStep();
    const home = await pageNamed(space, 'Home');
    await edit(space, `See [home](/pages/${home?.id}).`);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect((await repository.git(['show', 'main:guide.md'])).toString()).toBe('# Guide\n\nSee [home](README.md).\n');
    const exported = await pageNamed(space, 'Guide');
    await repository.commit({ 'README.md': '# Home\n\nWritten elsewhere.\n' });
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: false });
    expect(await pageNamed(space, 'Guide')).toEqual(exported);
  });

  it('of a page that gets a first child: moves its file, and what leads to it and from it follows', async () => {
    const { repository, space } = await inStep();
    await edit(space, 'Back [home](README.md).');
    const [home, guide] = [await pageNamed(space, 'Home'), await pageNamed(space, 'Guide')];
    const document = await storeSource(space.organization, '# Home\n\nTo the [guide](guide.md).\n');
    const child = await storeSource(space.organization, `# Child\n\nUp to the [guide](/pages/${guide?.id}).\n`);
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
    const files = (await repository.git(['ls-tree', '-r', '--name-only', 'main'])).toString().trim().split('\n');
    expect(files).toEqual(['README.md', 'SUMMARY.md', 'guide/README.md', 'guide/child.md']);
    const show = async (path: string) => (await repository.git(['show', `main:${path}`])).toString();
    expect(await show('README.md')).toContain('[guide](guide/README.md)');
    expect(await show('guide/README.md')).toContain('[home](../README.md)');
    expect(await show('guide/child.md')).toContain('[guide](README.md)');
    // What the space shows then is what an import of the commit would make of it.
    const mine = await lab.contentOf(space);
    const other = await lab.newSpace();
    await lab.importInto(other, repository.url);
    const documentsOf = (tree: Parameters<typeof flatten>[0]) =>
      flatten(tree).map(({ page }) => (page.type === 'document' ? [page.title, page.path, page.document, page.git] : [page.title]));
    expect(documentsOf(mine.tree)).toEqual(documentsOf((await lab.contentOf(other)).tree));
    expect((await lab.exportFrom(space, repository.url)).result).toMatchObject({ unchanged: true });
    await repository.commit({ 'notes.txt': 'Not a page.' });
    expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: false });
    expect((await lab.contentOf(space)).revision.pages).toBe(mine.revision.pages);
  });

  it('branch ahead, or both: fails with what to do, and changes nothing; force commits on top', async () => {
    for (const isEdited of [false, true]) {
      const { repository, space } = await inStep();
      if (isEdited) await edit(space, 'Written in the space.');
      const theirs = await repository.commit({ 'guide.md': '# Guide\n\nWritten elsewhere.\n', 'notes.txt': 'Notes.' });
      const before = await reload(space);
      const job = await lab.exportFrom(space, repository.url);
      expect(job).toMatchObject({ state: 'failed', error: { code: 'not_fast_forward', action: expect.stringContaining('force') } });
      expect(await repository.oid('main')).toBe(theirs);
      expect(await reload(space)).toEqual(before);

      const forced = await lab.exportFrom(space, repository.url, { force: true });
      expect(forced).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
      const branch = await branchOf(repository);
      expect(branch).toMatchObject({ parents: [theirs], changed: ['M\tguide.md'] });
      expect((await repository.git(['show', 'main:notes.txt'])).toString()).toBe('Notes.');
      expect((await repository.git(['show', 'main:guide.md'])).toString()).toContain(isEdited ? 'in the space' : 'Words.');
      expect((await lab.importInto(space, repository.url)).result).toMatchObject({ unchanged: true });
    }
  });

  it('never met: fails where the branch holds something else, and goes on where it holds the same', async () => {
    const { space } = await inStep();
    const other = await lab.gitServer.createRepository(`sync${(names += 1)}.git`, {
      'README.md': '# Something else\n',
      'code.c': 'int x;\n',
    });
    expect(await lab.exportFrom(space, other.url)).toMatchObject({ state: 'failed', error: { code: 'not_fast_forward' } });
    expect(await lab.exportFrom(space, other.url, { force: true })).toMatchObject({ state: 'succeeded' });
    // The folders alone say what SUMMARY.md would.
    expect(await branchOf(other)).toMatchObject({ changed: ['M\tREADME.md', 'A\tguide.md'] });

    const same = await newRepository();
    expect((await lab.exportFrom(space, same.url)).result).toMatchObject({ unchanged: true, commit: await same.oid('main') });
    await edit(space, 'Written in the space.');
    expect(await lab.exportFrom(space, same.url)).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
  });

  it('empty remote, or a branch that is not there yet: begins it', async () => {
    const { space } = await inStep();
    const empty = await lab.gitServer.createRepository(`sync${(names += 1)}.git`, {});
    expect(await lab.exportFrom(space, empty.url)).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
    expect(await branchOf(empty)).toMatchObject({ parents: [], changed: ['A\tREADME.md', 'A\tSUMMARY.md', 'A\tguide.md'] });
    await empty.git(['fsck', '--strict']);
    expect(await lab.exportFrom(space, empty.url, { ref: 'refs/heads/second' })).toMatchObject({ state: 'succeeded' });
    expect(await repositoryTree(empty, 'second')).toBe(await repositoryTree(empty, 'main'));
  });

  it('force-pushed branch, or one that is gone: fails unless forced', async () => {
    const { repository, space } = await inStep();
    const anew = await repository.commit(files('A new beginning.'), { isForced: true });
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'failed', error: { code: 'not_fast_forward' } });
    expect(await lab.exportFrom(space, repository.url, { force: true })).toMatchObject({ state: 'succeeded' });
    expect((await branchOf(repository)).parents).toEqual([anew]);

    await repository.git(['branch', '-m', 'main', 'elsewhere']);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'failed', error: { code: 'not_fast_forward' } });
    expect(await lab.exportFrom(space, repository.url, { force: true })).toMatchObject({ state: 'succeeded' });
    expect((await branchOf(repository)).parents).toEqual([]);
  });

  it('older than what was applied last: is dropped, unless forced', async () => {
    const { repository, space } = await inStep();
    await edit(space, 'Written in the space.');
    await Space.updateOne({ _id: space._id }, { $set: { lastGitTimestamp: new Date('2026-04-01T00:00:00Z') } });
    const timestamp = '2026-03-31T00:00:00Z';
    expect((await lab.exportFrom(space, repository.url, { timestamp })).state).toBe('superseded');
    expect((await branchOf(repository)).commits).toHaveLength(1);
    expect((await lab.exportFrom(space, repository.url, { timestamp, force: true })).state).toBe('succeeded');
  });

  it('standalone: commits, and leaves the space and what it is in step with alone', async () => {
    const { repository, space } = await inStep();
    await edit(space, 'Written in the space.');
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
    const { repository, space } = await inStep();
    await edit(space, 'Written in the space.');
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    expect((await lab.exportFrom(space, repository.url)).state).toBe('succeeded');
  });
});

const repositoryTree = (repository: GitRepository, ref: string) => repository.oid(`${ref}^{tree}`);

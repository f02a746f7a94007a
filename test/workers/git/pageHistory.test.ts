import { findPageHistory, loadPageHistory, removeHistory, type PageEntry } from '@bindery/content';
import { PageHistory, PageHistoryPart, Space, type SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@bindery/runtime';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { flatten } from '../../support/git/importing.ts';
import { writeHistory, type CommitToWrite } from '../../support/git/randomHistory.ts';
import { reload, startSyncLab, syncFiles, type SyncLab } from '../../support/git/syncLab.ts';

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterEach(() => {
  lab.gitServer.options = {};
  lab.gitServer.faults.clear();
});
afterAll(() => lab.close());

const ada = 'Ada <ada@example.org>';
const bob = 'Bob <bob@example.org>';
const page = (title: string, text = 'Text.') => `# ${title}\n\n${text}\n`;

let repositories = 0;
const newRepository = () => lab.gitServer.createRepository(`pages-${(repositories += 1)}.git`, {});

/** The history of the pages that a space shows, by path. */
async function shown(space: SpaceRecord): Promise<Record<string, Pick<PageEntry, 'at'> & { by: string[] }>> {
  const record = await findPageHistory(space._id);
  if (!record) return {};
  const find = await loadPageHistory(record);
  const { tree } = await lab.contentOf(space);
  const entries = flatten(tree).flatMap(({ page: { ...found } }) => {
    const git = found.type === 'document' ? found.git : undefined;
    const entry = git && find(git);
    return entry ? [[git.path, { at: entry.at, by: entry.by.map(({ name }) => name) }] as const] : [];
  });
  return Object.fromEntries(entries);
}

describe('the history of a space', () => {
  it('is read by imports, and extended by later commits', async () => {
    const repository = await newRepository();
    const commits: CommitToWrite[] = [
      { files: { 'README.md': page('One'), 'a.md': page('A'), 'b.md': page('B') }, author: ada, at: 1_000 },
      { files: { 'a.md': page('A', 'More.') }, author: bob, at: 2_000 },
    ];
    await writeHistory(repository, commits);
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toEqual({
      'README.md': { at: 1_000, by: ['Ada'] },
      'a.md': { at: 2_000, by: ['Bob', 'Ada'] },
      'b.md': { at: 1_000, by: ['Ada'] },
    });
    const { revision } = await lab.contentOf(space);

    const more = [...commits, { files: { 'code.ts': 'x' }, author: ada, at: 3_000 }];
    await writeHistory(repository, more);
    await lab.importInto(space, repository.url);
    const after = await lab.contentOf(space);
    expect(after.revision.contentHash).toBe(revision.contentHash);
    expect(await findPageHistory(space._id)).toMatchObject({ commit: await repository.oid('main') });

    await writeHistory(repository, [
      ...more,
      { files: { 'b.md': page('B', 'By Ada.') }, author: ada, at: 4_000 },
      { files: { 'b.md': page('B', 'By Bob.'), 'a.md': null }, author: bob, at: 5_000 },
    ]);
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toEqual({
      'README.md': { at: 1_000, by: ['Ada'] },
      'b.md': { at: 5_000, by: ['Bob', 'Ada'] },
    });
    expect(await PageHistoryPart.countDocuments({ space: space._id })).toBe(1);
  });

  it('contains the commits of exports, attributed to the acting user', async () => {
    const { repository, space } = await inStep();
    await lab.edit(space, 'Changed in the space.');
    expect(await shown(space)).toMatchObject({ 'guide.md': { at: 1_000, by: ['Bob'] } });
    lab.gitServer.requests.length = 0;
    await lab.exportFrom(space, repository.url);
    const at = Number((await repository.git(['log', '-1', '--format=%ct', 'main'])).toString());
    const expected = {
      'README.md': { at: 1_000, by: ['Bob'] },
      'guide.md': { at, by: ['Ada', 'Bob'] },
    };
    expect(await shown(space)).toEqual(expected);
    // The trees are kept since the import, and the history costs no request.
    const transfers = lab.gitServer.requests.map(({ kind }) => kind).filter((kind) => !kind.endsWith('nfo'));
    expect(transfers).toEqual(['push']);
    await PageHistory.deleteMany({ space: space._id });
    // All of it from the branch is the same.
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toEqual(expected);
  });

  it('follows a page that an export moves and rewrites', async () => {
    const { repository, space } = await inStep();
    const guide = await lab.pageNamed(space, 'Guide');
    const document = await storeSource(space.organization, '# Guide\n\nSee [home](README.md).\n');
    await editContent(space, (tree) => {
      setFields(tree, guide!.id, { document });
      const at = new Date().toISOString();
      const below = {
        id: newId(),
        title: 'Below',
        slug: 'below',
        path: 'guide/below',
        createdAt: at,
        updatedAt: at,
      };
      tree.insert({ type: 'document', ...below, pages: [] }, { into: guide!.id });
    });
    await lab.exportFrom(space, repository.url);
    expect(await shown(space)).toMatchObject({ 'guide/README.md': { by: ['Ada', 'Bob'] } });
  });

  it('follows a page that a commit moves and changes', async () => {
    const { repository, space } = await inStep();
    const summary = (await repository.git(['show', 'main:SUMMARY.md'])).toString();
    await repository.commit({
      'guide.md': null,
      'start/guide.md': `# Guide\n\n${words}\n\nAnd more.\n`,
      'SUMMARY.md': summary.replace('guide.md', 'start/guide.md'),
    });
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toMatchObject({ 'start/guide.md': { by: ['Ada Example', 'Bob'] } });
  });

  it('belongs to the branch synced last, and only to the pages of its files', async () => {
    const { repository, space } = await inStep();
    await repository.git(['branch', 'other', 'main']);
    await repository.commit({ 'guide.md': '# Guide\n\nOther.\n' }, { branch: 'other', author: 'Cy' });
    await lab.importInto(space, repository.url, { ref: 'refs/heads/other' });
    expect(await shown(space)).toMatchObject({ 'guide.md': { by: ['Cy', 'Bob'] } });
    const standalone = await repository.commit(
      { 'guide.md': '# Guide\n\nPreview.\n' },
      { branch: 'preview' },
    );
    const before = await findPageHistory(space._id);
    await lab.importInto(space, repository.url, { ref: 'refs/heads/preview', standalone: true });
    await lab.importInto(space, repository.url, { ref: 'refs/heads/preview', dryRun: true });
    expect(await findPageHistory(space._id)).toEqual(before);
    const preview = { path: 'guide.md', oid: await repository.oid(`${standalone}:guide.md`) };
    expect((await loadPageHistory(before!))(preview)).toBeUndefined();
  });

  it('is read later when it was not read before, although the branch has no new commit', async () => {
    const { repository, space } = await inStep();
    const expected = await shown(space);
    await Space.updateOne({ _id: space._id }, { gitHistory: false });
    await removeHistory([space._id]);
    const off = await lab.importInto(space, repository.url);
    expect([off.state, await findPageHistory(space._id)]).toEqual(['succeeded', undefined]);
    await Space.updateOne({ _id: space._id }, { $unset: { gitHistory: 1 } });
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toEqual(expected);
    lab.gitServer.requests.length = 0;
    const before = await reload(space);
    await lab.importInto(space, repository.url);
    expect(lab.gitServer.requests).toHaveLength(1);
    expect(await reload(space)).toEqual(before);
  });

  it('is not read from a server without filters, and the log reports it', async () => {
    lab.gitServer.options.allowFilter = false;
    const { repository, space, job } = await inStep(2);
    expect(await shown(space)).toEqual({});
    expect(job.log.map(({ message }) => message).join()).toContain('history of the pages was not read');
    lab.gitServer.requests.length = 0;
    const again = await lab.importInto(space, repository.url);
    expect(lab.gitServer.requests).toHaveLength(1);
    expect(again.log.map(({ message }) => message).join()).not.toContain('history');
    lab.gitServer.options.allowFilter = true;
    await repository.commit({ 'guide.md': '# Guide\n\nMore.\n' });
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toMatchObject({
      'README.md': { by: ['Bob'] },
      'guide.md': { by: ['Ada Example', 'Bob'] },
    });
  });

  it('stays unchanged when reading it fails, and is read by the next sync', async () => {
    const { repository, space } = await inStep();
    const before = await findPageHistory(space._id);
    await repository.commit({ 'guide.md': '# Guide\n\nMore.\n' });
    await repository.commit({ 'guide.md': '# Guide\n\nEven more.\n' });
    const isHistory = () => lab.gitServer.requests.filter(({ kind }) => kind === 'fetch').length === 2;
    lab.gitServer.requests.length = 0;
    lab.gitServer.beforeAnswer = async () => {
      if (isHistory()) lab.gitServer.faults.set('fetch', { status: 403 });
    };
    const job = await lab.importInto(space, repository.url);
    delete lab.gitServer.beforeAnswer;
    lab.gitServer.faults.clear();
    expect(job.state).toBe('succeeded');
    expect(job.log.map(({ message }) => message).join()).toContain('the next sync tries again');
    expect(await findPageHistory(space._id)).toEqual(before);
    await lab.importInto(space, repository.url);
    expect(await shown(space)).toMatchObject({ 'guide.md': { by: ['Ada Example', 'Bob'] } });
  });

  it('is stored in parts, of which a commit rewrites only some', async () => {
    const repository = await newRepository();
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [`f${i % 30}/p${i}.md`, page(`P${i}`)]),
    );
    const commits = [{ files, author: ada, at: 1_000 }];
    await writeHistory(repository, commits);
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const before = (await findPageHistory(space._id))!;
    expect(before.parts).toHaveLength(3);
    await writeHistory(repository, [
      ...commits,
      { files: { 'f1/p1.md': page('P1', 'New.') }, author: bob, at: 2_000 },
    ]);
    await lab.importInto(space, repository.url);
    const { parts } = (await findPageHistory(space._id))!;
    expect(parts.filter((part) => before.parts.includes(part))).toHaveLength(2);
    expect(await PageHistoryPart.distinct('_id', { space: space._id })).toEqual(parts.toSorted());
    const now = await shown(space);
    expect(now['f1/p1.md']).toEqual({ at: 2_000, by: ['Bob', 'Ada'] });
    expect(Object.values(now).filter(({ at }) => at === 1_000).length).toBeGreaterThan(2_900);
  });
});

const words = ['Spring', 'Summer', 'Autumn', 'Winter']
  .map((season) => `In ${season} trees need care.`)
  .join('\n\n');

/** A space in sync with a branch with two pages by Bob, in one commit or more. */
async function inStep(length = 1) {
  const repository = await newRepository();
  const text = Object.fromEntries([...syncFiles(words)].map(([path, bytes]) => [path, bytes.toString()]));
  await writeHistory(repository, [
    { files: text, author: bob, at: 1_000 },
    ...Array.from({ length: length - 1 }, (_, i) => ({
      files: { [`${i}.ts`]: 'x' },
      author: ada,
      at: 1_001 + i,
    })),
  ]);
  const space = await lab.newSpace();
  const job = await lab.importInto(space, repository.url);
  return { repository, space, job };
}

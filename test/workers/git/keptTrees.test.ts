import { GitSyncPoint, type GitSyncPointRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepositoryFile } from '../../support/git/gitRepository.ts';
import { branchOf, startSyncLab, syncFiles, text, type SyncLab } from '../../support/git/syncLab.ts';

// The trees that are kept beside a sync point spare exports of texts the reading of the branch. They are a
// cache: whatever becomes of them, an export writes the same.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

const pointOf = async (space: SpaceRecord) =>
  (await GitSyncPoint.findOne({ space: space._id }).lean<GitSyncPointRecord>())!;

type Synced = Awaited<ReturnType<SyncLab['inStep']>>;

/** Edits the guide, exports it, and says what was asked of the git server beside the lists of refs. */
async function exportEdit({ space, repository }: Synced, words: string): Promise<string[]> {
  await lab.edit(space, words);
  lab.gitServer.requests.length = 0;
  expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
  return lab.gitServer.requests.map(({ kind }) => kind).filter((kind) => !kind.endsWith('nfo'));
}

async function expectExported({ repository }: Synced, words: string): Promise<void> {
  expect((await branchOf(repository)).changed).toEqual(['M\tguide.md']);
  expect((await repository.git(['show', 'main:guide.md'])).toString()).toBe(`# Guide\n\n${words}\n`);
  await repository.git(['fsck', '--strict']);
}

describe('trees kept beside a sync point', { timeout: 60_000 }, () => {
  it.each<[string, (point: GitSyncPointRecord) => object]>([
    ['are missing', () => ({ $unset: { trees: 1 } })],
    ['are of another commit', () => ({ $set: { 'trees.commit': '0'.repeat(40) } })],
    ['name another root', () => ({ $set: { 'trees.root': '0'.repeat(40) } })],
    [
      'have other bytes than their oids say',
      ({ trees }) => {
        const part = Buffer.from((trees!.parts[0] as unknown as { buffer: Uint8Array }).buffer);
        part[part.length - 1]! ^= 1;
        return { $set: { 'trees.parts': [part] } };
      },
    ],
    ['are cut', () => ({ $set: { 'trees.parts': [Buffer.from('cut')] } })],
  ])('are replaced by reading the branch when they %s', async (_, harm) => {
    const synced = await lab.inStep();
    const { _id, ...point } = await pointOf(synced.space);
    await GitSyncPoint.updateOne({ _id }, harm({ _id, ...point }));
    expect(await exportEdit(synced, 'First.')).toContain('fetch');
    await expectExported(synced, 'First.');
    expect(await exportEdit(synced, 'Second.')).toEqual(['push']);
    await expectExported(synced, 'Second.');
  });

  it('serve a space in a folder of the repository, and keep files outside of it', async () => {
    const inFolder = [...syncFiles()].map(([path, bytes]) => [`docs/handbook/${path}`, bytes] as const);
    const files = new Map([...inFolder, ['code.ts', text('x')], ['docs/other.md', text('# Other\n')]]);
    const repository = await lab.gitServer.createRepository(lab.newName(), files);
    const space = await lab.newSpace();
    const projectDirectory = 'docs/handbook';
    await lab.importInto(space, repository.url, { projectDirectory });
    for (const words of ['First.', 'Second.']) {
      await lab.edit(space, words);
      lab.gitServer.requests.length = 0;
      await lab.exportFrom(space, repository.url, { projectDirectory });
      expect(lab.gitServer.requests.map(({ kind }) => kind)).not.toContain('fetch');
      expect((await branchOf(repository)).changed).toEqual(['M\tdocs/handbook/guide.md']);
    }
    await repository.git(['fsck', '--strict']);
  });

  it('list the same entries that an export skips as the branch itself', async () => {
    const files = new Map<string, RepositoryFile>(syncFiles());
    files.set('link.md', { mode: '120000', content: 'guide.md' });
    const repository = await lab.gitServer.createRepository(lab.newName(), files);
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const exportWarnings = async (words: string) => {
      await lab.edit(space, words);
      lab.gitServer.requests.length = 0;
      const { log } = await lab.exportFrom(space, repository.url);
      const warnings = log.filter(({ level }) => level === 'warning');
      return warnings.map(({ message, path }) => ({ message, path }));
    };
    const ofTexts = await exportWarnings('First.');
    expect(ofTexts).toEqual([
      { message: 'Left as it is. Symbolic links are not imported.', path: 'link.md' },
    ]);
    expect(lab.gitServer.requests.map(({ kind }) => kind)).not.toContain('fetch');
    await GitSyncPoint.updateOne({ space: space._id }, { $unset: { trees: 1 } });
    expect(await exportWarnings('Second.')).toEqual(ofTexts);
    expect(lab.gitServer.requests.map(({ kind }) => kind)).toContain('fetch');
  });

  it('are read again after many commits, so that they do not grow without limit', async () => {
    const synced = await lab.inStep();
    const counts: number[] = [];
    for (let edit = 0; edit < 35; edit += 1) {
      await exportEdit(synced, `Edit ${edit}.`);
      counts.push((await pointOf(synced.space)).trees?.partCount ?? 0);
    }
    await expectExported(synced, 'Edit 34.');
    expect(Math.max(...counts)).toBeLessThanOrEqual(32);
    // Without kept trees once, then from the start.
    expect(counts.filter((count) => count === 0)).toHaveLength(1);
    expect(counts.at(-1)).toBeLessThan(5);
  });
});

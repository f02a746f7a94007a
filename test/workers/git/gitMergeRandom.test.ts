import type { GitMerge } from '@bindery/contract';
import { loadRevision } from '@bindery/content';
import { GitSyncPoint, type GitSyncPointRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandomEdits, outlineOf, textOfBranch, wordsIn } from '../../support/git/randomEdits.ts';
import { reload, startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';
import { isFull } from '../../support/resultTable.ts';
import { seededRandom, suiteSeed } from '../../support/seededRandom.ts';

// Random edits on both sides, and syncs in any order: a merge loses nothing that its result does not list,
// and both sides end with the same content.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
  await lab.readHere();
});
afterAll(async () => {
  await lab.close();
  expect(seen.merges).toBeGreaterThan(10);
  expect(seen.conflicts).toBeGreaterThan(2);
  if (isFull) console.log(seen);
});

type Repository = Awaited<ReturnType<SyncLab['newRepository']>>;
type Direction = 'import' | 'export';

async function newRepository(): Promise<Repository> {
  const page = (title: string) => `# ${title}\n\nOne.\n\nTwo.\n\nThree.\n`;
  return lab.gitServer.createRepository(lab.newName(), {
    'README.md': page('Home'),
    'SUMMARY.md':
      '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Setup](setup.md)\n* [FAQ](faq.md)\n',
    'guide.md': page('Guide'),
    'setup.md': page('Setup'),
    'faq.md': page('FAQ'),
  });
}

async function outline(space: SpaceRecord): Promise<string[]> {
  const { revision } = await reload(space);
  const { organization, pages } = await loadRevision(space._id, revision);
  return outlineOf(organization, pages);
}

/** The content last in sync. */
async function baseOf(space: SpaceRecord): Promise<string[]> {
  const point = await GitSyncPoint.findOne({ space: space._id }).lean<GitSyncPointRecord>();
  const { organization, pages } = await loadRevision(space._id, point!.revision);
  return outlineOf(organization, pages);
}

async function sync(
  direction: Direction,
  space: SpaceRecord,
  repository: Repository,
  onConflict: 'branch' | 'space',
) {
  const options = { onConflict };
  const job =
    direction === 'import'
      ? await lab.importInto(space, repository.url, options)
      : await lab.exportFrom(space, repository.url, options);
  expect(job.state, JSON.stringify(job.error)).toBe('succeeded');
  return job.result as { merge?: GitMerge; unchanged: boolean };
}

/** The tests prove something only if both sides were merged, and had conflicts. */
const seen = { merges: 0, conflicts: 0 };

/** Syncs, and checks that no word of either side is lost that the result does not list. */
async function syncKeeping(
  direction: Direction,
  space: SpaceRecord,
  repository: Repository,
  onConflict: 'branch' | 'space',
): Promise<void> {
  const base = wordsIn((await baseOf(space)).join('\n'));
  const ofSpace = wordsIn((await outline(space)).join('\n'));
  const ofBranch = wordsIn(await textOfBranch(repository));
  const { merge } = await sync(direction, space, repository, onConflict);
  seen.merges += merge ? 1 : 0;
  seen.conflicts += merge?.totals.conflicts ?? 0;
  const now = wordsIn((await outline(space)).join('\n') + (await textOfBranch(repository)));
  const listed = wordsIn(JSON.stringify(merge?.conflicts ?? []));
  const wanted = ofSpace.union(ofBranch).difference(base).union(ofSpace.intersection(ofBranch));
  expect([...wanted.difference(now).difference(listed)], `lost by the ${direction}`).toEqual([]);
}

async function expectInSync(spaces: readonly SpaceRecord[], repository: Repository): Promise<void> {
  const copy = await lab.newSpace();
  await lab.importInto(copy, repository.url);
  const wanted = await outline(copy);
  for (const space of spaces) {
    expect(await outline(space)).toEqual(wanted);
    expect((await sync('export', space, repository, 'branch')).unchanged).toBe(true);
    expect((await sync('import', space, repository, 'branch')).unchanged).toBe(true);
  }
  await repository.git(['fsck', '--full', '--strict']);
}

const orders: Direction[][] = [
  ['import', 'export', 'import'],
  ['export', 'import', 'export'],
  ['import', 'import', 'export'],
];

describe('random edits on both sides', { timeout: 600_000 }, () => {
  const seeds = Array.from({ length: isFull ? 30 : 3 }, (_, index) => suiteSeed + index);
  it.each(seeds)('lose no content that is not listed, and end in sync (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const edits = createRandomEdits(random, lab);
    const repository = await newRepository();
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    for (const order of [...orders, random.pick(orders)]) {
      for (let count = random.below(4); count >= 0; count -= 1) await edits.editBranch(repository);
      for (let count = random.below(4); count >= 0; count -= 1) await edits.editSpace(space);
      const rule = random.pick(['branch', 'space'] as const);
      for (const direction of order) await syncKeeping(direction, space, repository, rule);
      await expectInSync([space], repository);
    }
  });

  it('of two spaces and a branch, with syncs in between, converge', async () => {
    const random = seededRandom(suiteSeed);
    const edits = createRandomEdits(random, lab);
    const repository = await newRepository();
    const spaces = [await lab.newSpace(), await lab.newSpace()] as const;
    for (const space of spaces) await lab.importInto(space, repository.url);
    for (let step = 0; step < (isFull ? 200 : 40); step += 1) {
      const space = random.pick(spaces);
      const rule = random.pick(['branch', 'space'] as const);
      const kind = random.pick(['branch', 'space', 'space', 'import', 'export'] as const);
      if (kind === 'branch') await edits.editBranch(repository);
      else if (kind === 'space') await edits.editSpace(space);
      else await syncKeeping(kind, space, repository, rule);
    }
    // Each writes what it has, then each reads what the others wrote.
    for (const direction of ['export', 'import'] as const)
      for (const space of spaces) await syncKeeping(direction, space, repository, 'branch');
    await expectInSync(spaces, repository);
  });
});

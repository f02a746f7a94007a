import type { JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  editPage,
  messagesOf,
  newSubject,
  shownRevision,
  stateOf,
  textsOf,
  type ExportSubject,
} from '../support/git/exportSubjects.ts';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, isFull } from '../support/resultTable.ts';

const rounds = isFull ? 20 : 3;

let lab: FaultLab;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab(rareSweeps);
  await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git'), lab.start('worker-git')]);
});
afterEach(() => {
  delete lab.gitServer.beforeAnswer;
});
afterAll(async () => {
  try {
    await checkInvariants(lab, []);
    table.print();
  } finally {
    // Its processes would take the jobs of the next file.
    await lab.close();
  }
});

const endOf = async ({ _id }: JobRecord) => lab.waitFor(_id, ({ finishedAt }) => finishedAt);

describe('two concurrent writers of a branch', { timeout: 60_000 * rounds }, () => {
  it('as exports of two spaces: both commits are kept, one on top of the other', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const one = await newSubject(lab);
      const { repository } = one;
      const other = { space: await lab.newSpace(), repository };
      await lab.importHere(other.space, repository.url);
      await editPage(other.space, 'Water', 'Edited in the other space.');
      lab.gitServer.beforeAnswer = meeting('push', 2);
      const jobs = await Promise.all([one, other].map(({ space }) => lab.export(space, repository.url)));
      const ended = await Promise.all(jobs.map(endOf));
      delete lab.gitServer.beforeAnswer;
      expect(ended.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
      expect(await messagesOf(repository)).toEqual(['Export', 'Export']);
      const said = (await repository.git(['log', '--format=%B', 'main'])).toString();
      for (const { _id } of jobs) expect(said.split(`Bindery-Job: ${_id}`).length - 1).toBe(1);
      // The space whose commit was the second has both changes already; the other one gets them by an import.
      const head = await repository.oid('main');
      for (const { space } of [one, other]) {
        const imported = await endOf(await lab.import(space, repository.url));
        expect(imported).toMatchObject({ state: 'succeeded', result: { commit: head } });
        expect(await shownRevision(space)).toMatchObject({ git: { oid: head } });
      }
      const [mine, theirs] = await Promise.all([one, other].map(({ space }) => textsOf(space)));
      expect(mine).toEqual(theirs);
      expect(mine).toMatchObject({
        Soil: expect.stringContaining('Edited in the space.'),
        Water: expect.stringContaining('Edited in the other space.'),
      });
      await repository.git(['fsck', '--strict']);
    }
    table.add({
      fault: 'two spaces export to one branch',
      runs: rounds,
      result: 'a commit of each, merged',
      measured: 'both kept',
      goal: 'nothing lost',
    });
  });

  it('as an export and a push during it: the commit of the export goes on top', async () => {
    const { space, repository } = await newSubject(lab);
    const theirs = pushOnce(repository);
    const ended = await endOf(await lab.export(space, repository.url));
    delete lab.gitServer.beforeAnswer;
    expect(ended).toMatchObject({ state: 'succeeded', result: { commit: await repository.oid('main') } });
    expect(await messagesOf(repository)).toEqual(['Export', 'Theirs']);
    expect(await repository.oid('main^')).toBe(theirs());
    expect(await shownRevision(space)).toMatchObject({ git: { oid: await repository.oid('main') } });
    table.add({
      fault: 'a push between refs and push',
      runs: 1,
      result: 'merged, on top of theirs',
      measured: '-',
      goal: 'nothing lost',
    });
  });

  it('as a forced export and a push during it: the pushed commit stays', async () => {
    const { space, repository } = await newSubject(lab);
    const before = await stateOf(space);
    const theirs = pushOnce(repository);
    const ended = await endOf(await lab.export(space, repository.url, { force: true }));
    expect(ended).toMatchObject({
      state: 'failed',
      error: { code: 'not_fast_forward', action: expect.stringContaining('force') },
    });
    expect(await repository.oid('main')).toBe(theirs());
    expect(await stateOf(space)).toEqual(before);
    delete lab.gitServer.beforeAnswer;
    const again = { force: true, commitMessage: 'On top' };
    expect((await endOf(await lab.export(space, repository.url, again))).state).toBe('succeeded');
    expect(await messagesOf(repository)).toEqual(['On top', 'Theirs']);
    table.add({
      fault: 'a push between refs and push (force)',
      runs: 1,
      result: 'not_fast_forward, theirs stays',
      measured: '-',
      goal: 'nothing lost',
    });
  });
});

/** Commits to the branch just before the next push arrives. @returns the commit */
function pushOnce(repository: ExportSubject['repository']): () => string {
  let theirs = '';
  lab.gitServer.beforeAnswer = async (kind) => {
    if (kind === 'push')
      theirs ||= await repository.commit({ 'theirs.md': 'Theirs.\n' }, { message: 'Theirs' });
  };
  return () => theirs;
}

/** Keeps requests of a kind waiting until so many have come. */
function meeting(awaited: string, count: number): (kind: string) => Promise<void> {
  let arrived = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return async (kind) => {
    if (kind !== awaited) return;
    arrived += 1;
    if (arrived === count) resolve();
    await promise;
  };
}

import type { JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  editPage,
  expectExportedOnce,
  messagesOf,
  newSubject,
  shownRevision,
  stateOf,
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
  await checkInvariants(lab, []);
  table.print();
  await lab.close();
});

const endOf = async ({ _id }: JobRecord) => lab.waitFor(_id, ({ finishedAt }) => finishedAt);

describe('two that write to a branch at a time', { timeout: 60_000 * rounds }, () => {
  it('as exports of two spaces: one commit wins, and the other one loses nothing', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const one = await newSubject(lab);
      const { repository } = one;
      const other = { space: await lab.newSpace(), repository };
      await lab.importHere(other.space, repository.url);
      await editPage(other.space, 'Water', 'Edited in the other space.');
      const before = new Map(
        await Promise.all([one, other].map(async ({ space }) => [space._id, await stateOf(space)] as const)),
      );
      lab.gitServer.beforeAnswer = meeting('push', 2);
      const jobs = await Promise.all([one, other].map(({ space }) => lab.export(space, repository.url)));
      const ended = await Promise.all(jobs.map(endOf));
      delete lab.gitServer.beforeAnswer;
      expect(ended.map(({ state }) => state).toSorted()).toEqual(['failed', 'succeeded']);
      const won = ended.findIndex(({ state }) => state === 'succeeded');
      const [winner, loser] = won === 0 ? [one, other] : [other, one];
      await expectExportedOnce(winner, ended[won]!);
      expect(ended[1 - won]).toMatchObject({
        error: { code: 'not_fast_forward', class: 'invalid' },
        tries: 0,
      });
      expect(await stateOf(loser.space)).toEqual(before.get(loser.space._id));
      // What it had is still there to be put on top, with the history of both.
      const head = await repository.oid('main');
      const forced = await endOf(
        await lab.export(loser.space, repository.url, { force: true, commitMessage: 'On top' }),
      );
      expect(forced).toMatchObject({ state: 'succeeded', result: { commit: await repository.oid('main') } });
      expect(await repository.oid('main^')).toBe(head);
      expect(await messagesOf(repository)).toEqual(['On top', 'Export']);
    }
    table.add({
      fault: 'two spaces export to one branch',
      runs: rounds,
      result: 'one commit, the other fails',
      measured: 'both kept',
      goal: 'one wins',
    });
  });

  it.each([false, true])(
    'as an export and an ordinary push between its refs and its push (force: %s): theirs stays',
    async (force) => {
      const { space, repository } = await newSubject(lab);
      const before = await stateOf(space);
      let theirs = '';
      lab.gitServer.beforeAnswer = async (kind) => {
        if (kind === 'push')
          theirs ||= await repository.commit({ 'theirs.md': 'Theirs.\n' }, { message: 'Theirs' });
      };
      const ended = await endOf(await lab.export(space, repository.url, { force }));
      expect(ended).toMatchObject({
        state: 'failed',
        error: { code: 'not_fast_forward', action: expect.stringContaining('force') },
      });
      expect(await repository.oid('main')).toBe(theirs);
      expect(await stateOf(space)).toEqual(before);
      delete lab.gitServer.beforeAnswer;
      const forced = await endOf(
        await lab.export(space, repository.url, { force: true, commitMessage: 'On top' }),
      );
      expect(forced.state).toBe('succeeded');
      expect(await messagesOf(repository)).toEqual(['On top', 'Theirs']);
      expect(await shownRevision(space)).toMatchObject({ git: { oid: await repository.oid('main') } });
      table.add({
        fault: `a push between refs and push${force ? ' (force)' : ''}`,
        runs: 1,
        result: 'not_fast_forward, theirs stays',
        measured: '-',
        goal: 'nothing lost',
      });
    },
  );
});

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

import { retryJob } from '@bindery/jobs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  editPage,
  expectExportedOnce,
  expectNextExport,
  messagesOf,
  newSubject,
  spaceNow,
  stateOf,
  type ExportSubject,
} from '../support/git/exportSubjects.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, isFull } from '../support/resultTable.ts';

let lab: FaultLab;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab();
  if (!isFull) console.log('F6: one point here, three with BINDERY_FAULTS=full');
});
afterEach(() => lab.reset({ keep: ['worker-maintenance', 'worker-git'] }));
afterAll(async () => {
  table.print();
  await lab.close();
});

describe('F6: further kills of the same export', { timeout: 180_000 }, () => {
  const startDying = (point: string) => lab.start('worker-git', { fault: `${point}:1:kill` });
  /** An export whose workers are killed, the first one at the first of the points, and so on. */
  const exportKilled = async ({ space, repository }: ExportSubject, [first = '', ...points]: string[]) => {
    const dying = await startDying(first);
    const job = await lab.export(space, repository.url);
    expect(await dying.ended).toBe('SIGKILL');
    for (const point of points) expect(await (await startDying(point)).ended).toBe('SIGKILL');
    return job;
  };

  const cases: [where: string, point: string, commits: number][] = [
    ['before its push', 'git_export.tree_built', 0],
    ['between note and push', 'git_export.noted', 0],
    ['after its push', 'git_export.pushed', 1],
  ];
  it.each(isFull ? cases : cases.slice(2))(
    'give it up after the third kill %s; a manual retry ends with one commit',
    async (where, point, commits) => {
      await lab.start('worker-maintenance');
      const subject = await newSubject(lab);
      const { repository } = subject;
      // A run that finds its commit pushed does not get to the later points any more.
      const job = await exportKilled(subject, [
        point,
        ...(commits ? ['job.claimed', 'job.finishing'] : [point, point]),
      ]);
      const ended = await lab.waitFor(job._id, 'failed');
      expect(ended).toMatchObject({ error: { code: 'quarantined' }, crashes: 3 });
      expect(await messagesOf(repository)).toHaveLength(commits);
      const pushed = await repository.oid('main');

      await retryJob(job._id);
      await lab.start('worker-git');
      const retried = await lab.waitFor(job._id, 'succeeded');
      if (commits) expect(await repository.oid('main')).toBe(pushed);
      await expectExportedOnce(subject, retried);
      await checkInvariants(lab, [job._id]);
      table.add({
        fault: `F6 three kills ${where}`,
        runs: 1,
        result: `quarantined, ${commits} commits; one after a retry by hand`,
        measured: `${ended.crashes} workers ended`,
        goal: '<= 3 workers, one commit',
      });
    },
  );

  it('allow a manual retry, which changes nothing after another export has synced the branch', async () => {
    await lab.start('worker-maintenance');
    const subject = await newSubject(lab);
    const { space, repository } = subject;
    const job = await exportKilled(subject, ['git_export.pushed', 'job.claimed', 'job.claimed']);
    await lab.waitFor(job._id, 'failed');
    await lab.start('worker-git');
    await expectNextExport(lab, subject);
    const [head, state] = [await repository.oid('main'), await stateOf(space)];
    await retryJob(job._id);
    expect((await lab.waitFor(job._id, 'succeeded')).result).toMatchObject({
      commit: await repository.oid('main^'),
      unchanged: true,
      revision: (await spaceNow(space)).revision,
    });
    expect(await repository.oid('main')).toBe(head);
    expect(await stateOf(space)).toEqual(state);
    await editPage(space, 'Home', 'Once more.');
    const next = await lab.export(space, repository.url, { commitMessage: 'Once more' });
    await lab.waitFor(next._id, 'succeeded');
    expect(await messagesOf(repository)).toEqual(['Once more', 'Next', 'Export']);
  });
});

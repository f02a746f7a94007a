import { Space, type JobRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { areGone, childrenOf, type AppProcess } from '../support/processes/appProcess.ts';
import { expireJobs } from '../support/stores/expireJobs.ts';
import {
  dropKeptTrees,
  editPage,
  expectNextExport,
  messagesOf,
  newSubject,
  spaceNow,
  stateOf,
  type ExportSubject,
} from '../support/git/exportSubjects.ts';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import type { GitFault, GitRequestKind } from '../support/git/gitServer.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, inSeconds, isFull } from '../support/resultTable.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let lab: FaultLab;
let api: AppProcess;
const table = createResultTable();

beforeAll(async () => {
  // No lease ends while a run is held at its end, where it renews none.
  lab = await startFaultLab({ ...rareSweeps, BINDERY_JOB_LEASE_MS: '5000' });
  if (!isFull) console.log('F21: four of eight stages here, all with BINDERY_FAULTS=full');
});
beforeEach(async () => {
  [api] = await Promise.all([lab.start('api'), lab.start('worker-maintenance')]);
});
afterEach(() => lab.reset({ keep: ['api', 'worker-maintenance', 'worker-git'] }));
afterAll(async () => {
  table.print();
  await lab.close();
});

/** How an export is held: by the git server, or for a moment by the worker. */
type Stage = { name: string; server?: [GitRequestKind, GitFault]; worker?: string; isPushed?: true };

/** Requests of exports that read the branch. */
const reading: readonly (GitRequestKind | undefined)[] = ['info', 'fetch'];

const never: GitFault = { delayMs: Number.POSITIVE_INFINITY };
const stages: Stage[] = [
  { name: 'claimed', worker: 'job.claimed:1:delay-1500' },
  { name: 'reading refs', server: ['info', never] },
  { name: 'reading trees', server: ['fetch', { dripBytes: 1 }] },
  { name: 'asking whether it may push', server: ['pushInfo', never] },
  { name: 'noted what it pushes', worker: 'git_export.noted:1:delay-1500' },
  { name: 'pushing', server: ['push', never] },
  { name: 'pushed, without an answer', server: ['push', { dripBytes: 1 }], isPushed: true },
  { name: 'pushed and finishing', worker: 'job.finishing:1:delay-1500', isPushed: true },
];

type Held = { worker: AppProcess; subject: ExportSubject; job: JobRecord; before: object };

/** Starts an export and waits until it is where it is held. */
async function hold({ name, server, worker: fault, isPushed }: Stage): Promise<Held> {
  const worker = await lab.start('worker-git', { ...(fault !== undefined && { fault }) });
  const subject = await newSubject(lab);
  if (reading.includes(server?.[0])) await dropKeptTrees(subject.space);
  const [before, head] = [await stateOf(subject.space), await subject.repository.oid('main')];
  lab.gitServer.requests.length = 0;
  if (server) lab.gitServer.faults.set(...server);
  const job = await lab.export(subject.space, subject.repository.url);
  await until(`export that is ${name}`, async () => {
    if (fault) return lab.hasReachedFault(worker);
    if (isPushed) return (await subject.repository.oid('main')) !== head;
    return lab.gitServer.requests.some(({ kind }) => kind === server?.[0]);
  });
  return { worker, subject, job, before };
}

/** @returns how long it took from the request until the job was cancelled */
async function cancelledBy(job: JobRecord, method: string, path: string): Promise<number> {
  const startedMs = performance.now();
  expect((await lab.call(api, method, path)).ok).toBe(true);
  await lab.waitFor(job._id, 'cancelled');
  return performance.now() - startedMs;
}

/** The job is cancelled: the space is as it was, and the job says which commit it may have left. */
async function expectUntouched({ subject, job, before }: Held, isPushed = false): Promise<void> {
  expect(await stateOf(subject.space)).toEqual(before);
  const head = await subject.repository.oid('main');
  expect(await messagesOf(subject.repository)).toHaveLength(isPushed ? 1 : 0);
  const said = (await lab.find(job._id)).log.map(({ message }) => message).join('\n');
  if (isPushed) expect(said).toContain(`Pushing commit ${head}`);
}

const row = (fault: string, tookMs: number, { isPushed }: Partial<Stage>, goal: string) =>
  table.add({
    fault,
    runs: 1,
    result: `cancelled, space unchanged${isPushed ? '; its commit stays and is known' : ''}`,
    measured: inSeconds(tookMs),
    goal,
  });

describe('an export that is cancelled by another process', { timeout: 60_000 }, () => {
  it.each(stages)(
    'while $name leaves the space as it was, and the next export needs no force',
    async (stage) => {
      const held = await hold(stage);
      const tookMs = await cancelledBy(held.job, 'POST', `/jobs/${held.job._id}/cancel`);
      row(`cancel of an export, ${stage.name}`, tookMs, stage, '<= 2 s');
      expect(tookMs).toBeLessThan(bound(2_000));
      await expectUntouched(held, stage.isPushed);
      lab.gitServer.faults.clear();
      const next = await expectNextExport(lab, held.subject);
      await checkInvariants(lab, [held.job._id, next._id]);
    },
  );

  it.each(['fetch', 'push'] as const)(
    'kills its child process when that process is frozen (%s)',
    async (kind) => {
      const held = await hold({ name: kind, server: [kind, never] });
      const children = childrenOf(held.worker.pid);
      expect(children.length).toBeGreaterThan(0);
      for (const { pid } of children) process.kill(pid, 'SIGSTOP');
      const tookMs = await cancelledBy(held.job, 'POST', `/jobs/${held.job._id}/cancel`);
      await until('end of the child', () => areGone(children));
      row(`cancel of an export, child frozen (${kind})`, tookMs, {}, '<= 10 s');
      expect(tookMs).toBeLessThan(bound(10_000));
      await expectUntouched(held);
      lab.gitServer.faults.clear();
      await expectNextExport(lab, held.subject);
    },
  );

  it('after its push is known to the next import, which keeps later edits of the space', async () => {
    const held = await hold(stages.at(-2)!);
    await cancelledBy(held.job, 'POST', `/jobs/${held.job._id}/cancel`);
    lab.gitServer.faults.clear();
    const { space, repository } = held.subject;
    await editPage(space, 'Water', 'Edited afterwards.');
    const { revision } = await spaceNow(space);
    const imported = await lab.waitFor((await lab.import(space, repository.url))._id, 'succeeded');
    expect(imported.result).toMatchObject({
      unchanged: true,
      revision,
      commit: await repository.oid('main'),
    });
    expect((await spaceNow(space)).revision).toBe(revision);
    // With `force` the branch wins all the same, and what it replaces is named.
    const forced = await lab.waitFor(
      (await lab.import(space, repository.url, { force: true }))._id,
      'succeeded',
    );
    expect(forced.result).toMatchObject({ unchanged: false, replaced: { pages: [{ title: 'Water' }] } });
  });

  it.each(['export', 'import'])(
    'after its push is known to the next %s also when the record of its job has expired',
    async (next) => {
      const held = await hold(stages.at(-2)!);
      await cancelledBy(held.job, 'POST', `/jobs/${held.job._id}/cancel`);
      lab.gitServer.faults.clear();
      await expireJobs(held.job._id);
      const { space, repository } = held.subject;
      if (next === 'import') {
        await editPage(space, 'Water', 'Edited in between.');
        const { revision } = await spaceNow(space);
        const imported = await lab.waitFor((await lab.import(space, repository.url))._id, 'succeeded');
        expect(imported.result).toMatchObject({ unchanged: true, revision });
      }
      await expectNextExport(lab, held.subject);
    },
  );

  it('after its push is not attributed to another space, or to a commit with the same trailer', async () => {
    const held = await hold(stages.at(-2)!);
    await cancelledBy(held.job, 'POST', `/jobs/${held.job._id}/cancel`);
    lab.gitServer.faults.clear();
    const { repository } = held.subject;
    const export_ = async (space: SpaceRecord) =>
      lab.waitFor((await lab.export(space, repository.url))._id, ({ finishedAt }) => finishedAt);
    expect(await export_(await lab.newSpace())).toMatchObject({ error: { code: 'not_fast_forward' } });
    // Another commit with the same trailer is another commit.
    await repository.commit(
      { 'soil.md': '# Theirs\n' },
      { message: `Theirs\n\nBindery-Job: ${held.job._id}\n` },
    );
    await editPage(held.subject.space, 'Water', 'Edited afterwards.');
    expect(await export_(held.subject.space)).toMatchObject({ error: { code: 'not_fast_forward' } });
  });
});

describe('F21: a space that is deleted while it is exported', { timeout: 60_000 }, () => {
  // The worker sees a cancel, as above: here it is what becomes of the space.
  it.each(isFull ? stages : stages.filter(({ name }) => /trees|pushed/.test(name)))(
    'stays deleted, is unchanged after a restore, and can be exported again: $name',
    async (stage) => {
      const held = await hold(stage);
      const { space } = held.subject;
      const tookMs = await cancelledBy(held.job, 'DELETE', `/spaces/${space._id}`);
      row(`F21 space deleted, ${stage.name}`, tookMs, stage, '<= 5 s');
      expect(tookMs).toBeLessThan(bound(5_000));
      await expectUntouched(held, stage.isPushed);
      expect(await Space.exists({ _id: space._id, isDeleted: true })).not.toBeNull();
      lab.gitServer.faults.clear();
      expect((await lab.call(api, 'POST', `/spaces/${space._id}/restore`)).ok).toBe(true);
      await expectUntouched(held, stage.isPushed);
      const next = await expectNextExport(lab, held.subject);
      await checkInvariants(lab, [held.job._id, next._id]);
    },
  );
});

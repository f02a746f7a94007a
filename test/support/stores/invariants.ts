import { readdir } from 'node:fs/promises';
import { finalJobStates } from '@bindery/contract';
import { findRevision, loadTree } from '@bindery/content';
import {
  jobCollection,
  Revision,
  Space,
  type JobRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { expect } from 'vitest';
import { areGone } from '../processes/appProcess.ts';
import { dumpRedis, findCollectionsWith } from './dumpStores.ts';
import { canary, type FaultLab } from '../processes/faultLab.ts';
import { flatten } from '../git/importing.ts';
import { until } from '../until.ts';

/**
 * Checks the invariants after a fault, once all jobs have ended:
 *
 * - every accepted job exists (I1), has ended, and has had one effect or none (I2)
 * - the revisions of a space are one line from its present one to its first (I3), and the job counted what it
 *   made (I4)
 * - the password is in no store and in no log (I5)
 * - no process has outlived the one that started it, and only killed processes left temporary folders (I6)
 *
 * @param accepted  jobs whose acceptance was answered
 * @param edited  ids of spaces that users edit too: not all of their revisions are of jobs, or in the history
 */
export async function checkInvariants(
  lab: Pick<FaultLab, 'redis' | 'apps' | 'workFolder'>,
  accepted: readonly string[],
  edited: readonly string[] = [],
): Promise<void> {
  const jobs = await jobCollection().find().toArray();
  const known = new Set(jobs.map(({ _id }) => _id));
  expect(
    accepted.filter((id) => !known.has(id)),
    'I1: accepted jobs that are gone',
  ).toEqual([]);
  for (const job of jobs) {
    expect(finalJobStates, `I2: the state of job ${job._id}`).toContain(job.state);
    expect(
      job.attempts.filter(({ outcome }) => outcome === undefined),
      `I2: open attempts of job ${job._id}`,
    ).toEqual([]);
    expect(
      job.attempts.filter(({ outcome }) => outcome === 'succeeded').length,
      `I2: successes of job ${job._id}`,
    ).toBe(job.state === 'succeeded' ? 1 : 0);
  }
  const spaces = await Space.find().lean<SpaceRecord[]>();
  for (const space of spaces)
    await checkSpace(space, {
      jobs: jobs.filter(({ subject }) => subject.id === space._id),
      isEdited: edited.includes(space._id),
    });

  expect(await dumpRedis(lab.redis), 'I5: Redis').not.toContain(canary);
  expect(await findCollectionsWith(canary), 'I5: MongoDB').toEqual([]);
  for (const app of lab.apps)
    expect(
      app.lines.filter((line) => line.includes(canary)),
      `I5: log of ${app.name}`,
    ).toEqual([]);

  for (const app of lab.apps)
    if (app.hasEnded())
      await until(`end of what ${app.name} had started (I6)`, () => areGone(app.children), {
        timeoutMs: 5_000,
      });
  const killed = jobs
    .flatMap(({ attempts }) => attempts)
    .filter(({ outcome }) => outcome === 'crashed').length;
  // A folder is removed when its process has ended, which takes a moment longer than the job.
  const hasFewFolders = async () => {
    const left = (await readdir(lab.workFolder)).filter((name) => name.startsWith('bindery-git-'));
    return left.length <= killed;
  };
  await until('the removal of temporary folders, except those of runs that were killed (I6)', hasFewFolders, {
    timeoutMs: 5_000,
  });
}

async function checkSpace(
  space: SpaceRecord,
  { jobs, isEdited }: { jobs: JobRecord[]; isEdited: boolean },
): Promise<void> {
  const line: RevisionRecord[] = [];
  for (let id: string | undefined = space.revision; id !== undefined; id = line.at(-1)?.parents[0]) {
    const revision = await findRevision(space._id, id);
    if (!revision) throw new Error(`I3: revision ${id} of space ${space._id} is gone.`);
    expect(
      line.some(({ _id }) => _id === id),
      'I3: a revision that is its own ancestor',
    ).toBe(false);
    line.push(revision);
  }
  // A merge has the other side as its second parent.
  const ancestors = new Map(line.map((revision) => [revision._id, revision]));
  for (const { parents } of ancestors.values())
    for (const id of parents) {
      const revision = ancestors.has(id) ? undefined : await findRevision(space._id, id);
      if (revision) ancestors.set(id, revision);
    }
  // A change request that is not merged has revisions of its own.
  if (!isEdited)
    expect(
      await Revision.countDocuments({ space: space._id }),
      `I3: revisions beside the history of space ${space._id}`,
    ).toBe(ancestors.size);

  const made = jobs.filter(({ state, result }) => state === 'succeeded' && result?.['unchanged'] === false);
  const madeIds = made.map(({ result }) => String(result?.['revision']));
  // The first revision came with the space, and some are edits of a test.
  const ofJobs = line.slice(0, -1).filter(({ createdBy }) => createdBy !== 'nobody');
  if (!isEdited)
    expect(
      ofJobs.map(({ _id }) => _id).toSorted(),
      `I2: one revision for each import and export of space ${space._id}`,
    ).toEqual(madeIds.toSorted());
  for (const { result, stats } of made.filter(({ kind }) => kind === 'git-import')) {
    const revision = line.find(({ _id }) => _id === result?.['revision'])!;
    const pages = flatten(await loadTree(space.organization, revision.pages)).filter(
      ({ page }) => page.type !== 'group',
    );
    expect(stats['pages'], `I4: pages of revision ${revision._id}`).toBe(pages.length);
  }
}

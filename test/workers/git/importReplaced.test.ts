import { acceptJob, gitJobs, replacedImports } from '@bindery/jobs';
import { jobCollection, Space } from '@bindery/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureRepository } from '../../support/fixtureRepository.ts';
import { importRequest } from '../../support/importRequest.ts';
import { startImportLab, type ImportLab } from '../../support/git/importing.ts';
import { until } from '../../support/until.ts';

let lab: ImportLab;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

it('imports requested together run only a few times, and the space ends at the branch', async () => {
  const { url } = await lab.gitServer.createRepository('often.git', fixtureRepository());
  const space = await lab.newSpace();
  const request = importRequest(space, { url });
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1) {
    const { _id } = await acceptJob(gitJobs.importRepository, {
      ...request,
      supersedes: (waiting) => replacedImports(request.input, waiting),
    });
    ids.push(_id);
  }
  const unfinished = { _id: { $in: ids }, state: { $nin: ['succeeded', 'superseded'] as const } };
  await until(
    'all jobs ended',
    async () => (await jobCollection().countDocuments(unfinished as object)) === 0,
  );
  const jobs = await jobCollection()
    .find({ _id: { $in: ids } })
    .toArray();
  const ran = jobs.filter(({ startedAt }) => startedAt);
  // How many depends on how long one takes.
  expect(ran.length).toBeLessThan(ids.length / 2);
  expect(jobs.every(({ state, startedAt }) => (state === 'succeeded') === (startedAt !== undefined))).toBe(
    true,
  );
  expect(jobs.find(({ _id }) => _id === ids.at(-1))).toMatchObject({ state: 'succeeded' });
  expect((await Space.findById(space._id).lean())?.revision).not.toBe(space.revision);
});

import { proposeReplay, startReplay } from '@bindery/jobs';
import { jobCollection, JobReplay, Lease } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';

let lab: FaultLab;

beforeAll(async () => {
  lab = await startFaultLab(rareSweeps);
});
afterAll(async () => {
  await JobReplay.deleteMany({});
  await lab.close();
});

describe('a worker that is killed during a replay', { timeout: 60_000 }, () => {
  it('leaves the rest to the next worker, which runs no job a second time', async () => {
    const space = await lab.newSpace();
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { _id } = await lab.import(space, 'https://git.example.org/r.git');
      // A lane of its own, so that no job waits for another.
      await jobCollection().updateOne({ _id }, { $set: { state: 'failed', lane: _id } });
      ids.push(_id);
    }
    const { _id: replay } = await proposeReplay({ state: 'failed', subject: space._id }, 'an operator');
    const dying = await lab.start('worker-maintenance', { fault: 'replay.replayed:2:kill' });
    await startReplay(replay);
    expect(await dying.ended).toBe('SIGKILL');
    const statesNow = async () =>
      Promise.all(ids.map(async (_id) => (await jobCollection().findOne({ _id }))?.state !== 'failed'));
    // The second job ran, which the dead process could not note.
    expect([await statesNow(), (await JobReplay.findById(replay).lean())?.done]).toEqual([
      [true, true, false, false],
      1,
    ]);
    // It has failed again meanwhile.
    await jobCollection().updateOne({ _id: ids[1]! }, { $set: { state: 'failed' } });
    await Lease.deleteMany({});
    await lab.start('worker-maintenance');
    const finished = await until('end of the replay', async () =>
      JobReplay.findOne({ _id: replay, state: 'finished' }).lean(),
    );
    expect(finished).toMatchObject({ done: 4, skipped: 0 });
    expect(await statesNow()).toEqual([true, false, true, true]);
  });
});

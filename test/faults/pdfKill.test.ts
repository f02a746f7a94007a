import { acceptOrJoin, pdfJobs } from '@bindery/jobs';
import { mongoDatabase, Space, type JobRecord, type SpaceRecord } from '@bindery/models';
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildRevision } from '../support/factories.ts';
import { bound } from '../support/machine.ts';
import { browserProcesses } from '../support/pdf/browserProcesses.ts';
import { findTestChromium } from '../support/pdf/chromium.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { until } from '../support/until.ts';

const { executable, missing } = await findTestChromium();
const points = [
  'job.claimed',
  'pdf.opened',
  'pdf.loaded',
  'pdf.printed',
  'pdf.stored',
  'job.finishing',
  'job.finished',
];

describe.skipIf(missing)('F3: a worker that is killed while it prints', () => {
  let lab: FaultLab;
  const table = createResultTable();

  beforeAll(async () => {
    lab = await startFaultLab({ CHROME_PATH: executable });
  });
  // The worker that finished a book is the one to die in the next test.
  afterEach(() => lab.reset({ keep: ['worker-maintenance', 'worker-pdf'] }));
  afterAll(async () => {
    table.print();
    await lab.close();
  });

  const files = () => mongoDatabase().collection('blobs.files');
  const ask = async (space: SpaceRecord): Promise<JobRecord> =>
    acceptOrJoin(pdfJobs.printSpace, {
      organization: space.organization,
      subject: { type: 'space', id: space._id },
      startedBy: 'nobody',
      permission: 'space.view',
      joinKey: `pdf:${space._id}`,
      input: {
        spaceId: space._id,
        revision: space.revision,
        only: false,
        pageSize: 'a4',
        title: space.title,
        author: 'Lab',
        language: 'en',
        appUrl: 'https://app.test',
      },
    });
  const isGone = (app: AppProcess) => browserProcesses(app.pid).length === 0;

  it.each(points)(
    'at %s leaves one PDF, with the bytes of an undisturbed run, and no browser',
    async (point) => {
      const [, dying] = await Promise.all([
        lab.start('worker-maintenance'),
        lab.start('worker-pdf', { fault: `${point}:1:kill` }),
      ]);
      const created = await lab.newSpace();
      const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
      await buildRevision(created, {
        pages: ['One', 'Two', 'Three'].map((title) => ({ title, source: `${title}.\n\n${words}\n` })),
      });
      const space = (await Space.findById(created._id).lean<SpaceRecord>())!;
      const before = await files().countDocuments({});
      const { _id } = await ask(space);
      expect(await dying.ended).toBe('SIGKILL');
      const killedMs = Date.now();
      await lab.start('worker-pdf');
      const { result } = await lab.waitFor(_id, 'succeeded', bound(60_000));
      const tookMs = Date.now() - killedMs;
      await until('end of the browser', () => isGone(dying));
      expect(await files().countDocuments({})).toBe(before + 1);

      // The folder of the book goes with its run, and that of the killed worker when the next one starts.
      await until('end of the work', async () =>
        (await readdir(lab.workFolder)).every((name) => !name.startsWith(`bindery-pdf-${dying.pid}-`)),
      );
      await mongoDatabase().collection('jobs').deleteMany({});
      const again = await lab.waitFor((await ask(space))._id, 'succeeded', bound(60_000));
      expect(again.result).toEqual(result);
      expect(await files().countDocuments({})).toBe(before + 1);
      table.add({
        fault: `F3 ${point}`,
        runs: 1,
        result: '1 PDF',
        measured: inSeconds(tookMs),
        goal: '1 PDF, no orphan',
      });
    },
    bound(150_000),
  );

  it('leaves no browser when it is stopped', async () => {
    // The one of the tests before.
    const told = await lab.start('worker-pdf');
    expect(isGone(told)).toBe(false);
    told.signal('SIGTERM');
    await told.ended;
    expect(isGone(told)).toBe(true);
  });
});

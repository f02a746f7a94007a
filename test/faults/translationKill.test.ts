import {
  jobCollection,
  Space,
  TranslatedPage,
  TranslatedSegment,
  Translation,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findDocument, loadRevision, markdownOf, openTree } from '@bindery/content';
import { buildRevision } from '../support/factories/content.ts';
import { bound } from '../support/machine.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { startEngineServer, type EngineServer } from '../support/translation/engineServer.ts';
import { until } from '../support/until.ts';

const worker = 'test/fixtures/translationWorker/main.ts';
/** As in that file: texts of a batch. */
const perBatch = 5;
const textsPerPage = 24;
/** With the title. */
const batches = (textsPerPage + 1) / perBatch;

let lab: FaultLab;
let engine: EngineServer;
beforeAll(async () => {
  engine = await startEngineServer(20);
  lab = await startFaultLab({ TEST_ENGINE: `test-${newId()}`, TEST_ENGINE_URL: engine.url });
});
// The worker that finished a run is the one to die in the next test.
afterEach(async () => {
  await lab.reset({ keep: ['api', 'worker-maintenance', worker] });
  engine.translated.length = 0;
});
afterAll(async () => {
  await lab.close();
  await engine.close();
});

/** Creates a translation of a page with 24 texts through the API. @returns its id and that of its run */
async function translate(api: AppProcess): Promise<{ id: string; organization: string; job: string }> {
  const space = await lab.newSpace();
  // Texts of an earlier test would come from the memory.
  const texts = Array.from({ length: textsPerPage }, (_, index) => `Text ${index} of ${space._id}.`);
  await buildRevision(space, {
    pages: [{ id: 'page', title: `Page ${space._id}`, source: `${texts.join('\n\n')}\n` }],
  });
  const { organization } = space;
  const created = await lab.call(api, 'POST', `/orgs/${organization}/translations`, {
    language: 'es',
    source: { space: space._id, language: 'en' },
  });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  return { id, organization, job: created.headers.get('x-job-id') ?? '' };
}

async function resultOf({ result }: TranslationRecord): Promise<string> {
  const { _id, revision } = await Space.findById(result.space).lean<SpaceRecord>().orFail();
  const { organization, pages } = await loadRevision(_id, revision);
  const page = (await openTree(organization, pages)).page('page')?.page;
  const document = page && 'document' in page ? await findDocument(organization, page.document ?? '') : null;
  return document ? markdownOf(document) : '';
}

describe('F5: a worker that is killed while it translates', () => {
  it.each([
    ['job.claimed', 1, 0],
    ['translation.answered', 1, perBatch],
    ['translation.kept', 1, 0],
    ['translation.kept', Math.ceil(batches / 2), 0],
    ['translation.answered', batches, perBatch],
    ['translation.listed', 1, 0],
    ['job.publishing', 1, 0],
    ['job.finished', 1, 0],
  ])(
    'at %s (%i) requests at most one batch again, and counts one run',
    { timeout: bound(150_000) },
    async (point, count, again) => {
      const [api, dying] = await Promise.all([
        lab.start('api'),
        lab.start(worker, { fault: `${point}:${count}:kill` }),
        lab.start('worker-maintenance'),
      ]);
      const { id, job } = await translate(api);
      expect(await dying.ended).toBe('SIGKILL');
      await lab.start(worker);
      await lab.waitFor(job, 'succeeded', bound(60_000));
      expect(engine.translated.length).toBe(textsPerPage + 1 + again);
      expect(new Set(engine.translated).size).toBe(textsPerPage + 1);
      const translation = await Translation.findById(id).lean<TranslationRecord>().orFail();
      expect(translation.stats).toMatchObject({ runs: 1, totalPages: 1, latestPages: 1 });
      expect((await resultOf(translation)).match(/⟦Ťéxť/g)).toHaveLength(textsPerPage);
      expect(await TranslatedPage.countDocuments({ translation: id })).toBe(1);
      const segments = await TranslatedSegment.find({ translation: id }).lean();
      expect(segments.map(({ state }) => state)).toEqual(Array(textsPerPage + 1).fill('machine'));
    },
  );
});

describe('F21: the deletion of a translation while it runs', () => {
  it.each(['job.claimed', 'translation.answered', 'translation.kept', 'translation.listed', 'job.finishing'])(
    'at %s leaves no record of its pages and texts',
    { timeout: bound(150_000) },
    async (point) => {
      const [api, app] = await Promise.all([
        lab.start('api'),
        lab.start(worker, { fault: `${point}:1:delay-1500` }),
        lab.start('worker-maintenance'),
      ]);
      const { id, organization, job } = await translate(api);
      await until('the point', () => lab.hasReachedFault(app), { timeoutMs: bound(30_000) });
      const deleted = await lab.call(api, 'DELETE', `/orgs/${organization}/translations/${id}`);
      expect(deleted.status).toBe(204);
      const ended = ['cancelled', 'superseded'];
      await until('end of the run', async () =>
        ended.includes((await jobCollection().findOne({ _id: job }))?.state ?? ''),
      );
      // The run goes on until it notices.
      await lab.untilIdle(app);
      expect(await TranslatedPage.countDocuments({ translation: id })).toBe(0);
      expect(await TranslatedSegment.countDocuments({ translation: id })).toBe(0);
    },
  );
});

import { findDocument, loadRevision, markdownOf, openTree } from '@bindery/content';
import { pseudoLocaleEngine, type Engine } from '@bindery/engines';
import { startWorker, translationJobs } from '@bindery/jobs';
import { Space, type SpaceRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { expect } from 'vitest';
import { translationProcessors } from '../../../apps/worker-translation/src/processors.ts';
import { editContent, setFields, storeSource } from '../content/editContent.ts';
import { buildSpace } from '../factories.ts';
import { buildRevision } from '../factories/content.ts';
import { it as base } from '../it.ts';
import { bound } from '../machine.ts';
import { until } from '../until.ts';

type Pages = NonNullable<NonNullable<Parameters<typeof buildRevision>[1]>['pages']>;

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of it
type EndedJob = { id: string; state: string } & Record<'result' | 'log' | 'stats' | 'error', any>;

/**
 * The `it` of tests of translations: a worker in this process whose engine makes texts of the pseudo-locale,
 * or what `engine.answer` says. `engine.asked` lists the texts that it got.
 */
export const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('engine', { scope: 'file' }, ({}) => {
    const engine = {
      asked: [] as string[],
      /** Instead of the pseudo-locale, for a text; undefined for others. */
      answer: (_text: string): string | undefined => undefined,
    };
    const wrapped: Engine = {
      ...pseudoLocaleEngine,
      batch: { texts: 20, characters: 5_000 },
      translate: async (texts, request) => {
        engine.asked.push(...texts);
        const answers = await pseudoLocaleEngine.translate(texts, request);
        return answers.map((answer, index) => {
          const text = engine.answer(texts[index] ?? '');
          return text === undefined ? answer : { text };
        });
      },
    };
    return Object.assign(engine, { wrapped });
  })
  /** False in files that start worker processes, for which `engine` does not count. */
  .extend('isWorkerHere', { scope: 'file' }, true as boolean)
  .extend('worker', { scope: 'file' }, async ({ api, engine, isWorkerHere }, { onCleanup }) => {
    if (!isWorkerHere) return undefined;
    const worker = await startWorker(translationJobs, translationProcessors([engine.wrapped], api.config), {
      app: 'test',
      concurrency: 1,
      config: api.config,
      logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
    });
    onCleanup(() => worker.stop(0));
    return worker;
  })
  .extend(
    'call',
    ({ api, organization, admin, worker: _started }) =>
      (method: string, path: string, json?: unknown) =>
        api.call(method, `/v1/orgs/${organization._id}/translations${path}`, {
          token: admin.token,
          ...(json !== undefined && { json }),
        }),
  )
  /** Waits for the end of a job. */
  .extend('ended', ({ api, admin }) => async (id: string | null) => {
    let job = { id: '', state: '' } as EndedJob;
    await until(
      'end of the run',
      async () => {
        job = (await api.call('GET', `/v1/jobs/${id}`, { token: admin.token })).body;
        return ['succeeded', 'failed', 'cancelled', 'superseded'].includes(job.state);
      },
      { timeoutMs: bound(60_000) },
    );
    return job;
  })
  /** Makes a space with these pages, and translates it from English, by default into Spanish. */
  .extend(
    'translated',
    ({ organization, call, ended, engine }) =>
      async (pages: Pages, more: object = {}) => {
        const source = await buildSpace(organization);
        await buildRevision(source, { pages });
        engine.asked.length = 0;
        const created = await call('POST', '', {
          ...{ language: 'es', source: { space: source._id, language: 'en' } },
          ...more,
        });
        expect(created.status, created.text).toBe(201);
        const { id } = created.body;
        const first = await ended(created.headers.get('x-job-id'));
        const show = async () => (await call('GET', `/${id}`)).body;
        const result = async () =>
          Space.findById((await show()).result.space)
            .lean<SpaceRecord>()
            .orFail();
        const treeOf = async (space: SpaceRecord) => {
          const { revision } = await Space.findById(space._id).lean<SpaceRecord>().orFail();
          const { organization: of, pages: root } = await loadRevision(space._id, revision);
          return openTree(of, root);
        };
        const write = async (space: SpaceRecord, id: string, text: string, fields: object = {}) => {
          const document = await storeSource(space.organization, text);
          await editContent(space, (edit) => setFields(edit, id, { document, ...fields }));
        };
        return {
          id,
          source,
          first,
          show,
          result,
          /** Runs again. @returns the job, and the texts that the engine got */
          run: async () => {
            engine.asked.length = 0;
            const { status, headers, text } = await call('POST', `/${id}/run`);
            expect(status, text).toBe(204);
            const job = await ended(headers.get('x-job-id'));
            return { job, asked: [...engine.asked] };
          },
          /** The file of a page of the result. */
          page: async (page: string) => {
            const space = await result();
            const item = (await treeOf(space)).page(page)?.page;
            const document = item && 'document' in item ? item.document : undefined;
            const found =
              document === undefined ? undefined : await findDocument(space.organization, document);
            return { item, text: found ? Buffer.from(found.frontmatter).toString() + markdownOf(found) : '' };
          },
          /** Writes a page of the source, or of the result, as somebody does. */
          write: (page: string, text: string, fields?: object) => write(source, page, text, fields),
          writeResult: async (page: string, text: string, fields?: object) =>
            write(await result(), page, text, fields),
        };
      },
  );

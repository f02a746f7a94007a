import { Translation, type TranslationRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { runDueTranslations } from '../../../apps/worker-maintenance/src/runDueTranslations.ts';
import { setFields, storeSource, editContent } from '../../support/content/editContent.ts';
import { buildChangeRequest } from '../../support/factories.ts';
import { it as base } from '../../support/translation/translating.ts';

const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
const pages = [
  { id: 'one', title: 'One', source: 'The first page.\n' },
  { id: 'two', title: 'Two', source: 'Another text.\n' },
];

const it = base
  /** Looks a minute ahead by default: the clock of the database is estimated and may lag behind a change. */
  .extend(
    'startDue',
    ({ api }) =>
      async (delaySeconds = -60) =>
        runDueTranslations({
          config: { translation: { ...api.config.translation, delaySeconds } },
          logger,
          signal: AbortSignal.timeout(60_000),
        }),
  )
  .extend(
    'glossary',
    ({ api, organization, admin }) =>
      (...operations: object[]) =>
        api.call('PUT', `/v1/orgs/${organization._id}/translations-glossary`, {
          token: admin.token,
          json: { operations },
        }),
  )
  /** Changes a page of the source as members do. */
  .extend(
    'merge',
    ({ api, admin }) =>
      async ({ source }: { source: { _id: string; organization: string } }, page: string, text: string) => {
        const changeRequest = await buildChangeRequest(source as never, { createdBy: admin.user._id });
        const document = await storeSource(source.organization, text);
        await editContent(changeRequest, (edit) => setFields(edit, page, { document }));
        const path = `/v1/spaces/${source._id}/change-requests/${changeRequest._id}/merge`;
        expect((await api.call('POST', path, { token: admin.token })).status).toBe(200);
      },
  );

const stored = async (id: string) => Translation.findById(id).lean<TranslationRecord>().orFail();

describe('a translation', { timeout: 120_000 }, () => {
  it('runs by itself when the content of its source has changed', async ({
    translated,
    merge,
    startDue,
    ended,
    engine,
  }) => {
    const one = await translated(pages);
    await startDue();
    expect(await stored(one.id)).toMatchObject({ job: one.first.id });
    engine.asked.length = 0;
    await merge(one, 'two', 'Changed text.\n');
    await merge(one, 'two', 'Changed text, twice.\n');
    await startDue();
    const { job, due } = await stored(one.id);
    expect(due).toBeUndefined();
    expect(await ended(job)).toMatchObject({ state: 'succeeded' });
    expect(engine.asked).toEqual(['Changed text, twice.']);
    await startDue();
    expect(await one.show()).toMatchObject({ stats: { runs: 2 } });
    expect((await stored(one.id)).job).toBe(job);
  });

  it('waits until changes have stopped, up to a limit', async ({ translated, merge, startDue }) => {
    const one = await translated(pages);
    await merge(one, 'two', 'Changed text.\n');
    await startDue(60);
    expect((await stored(one.id)).job).toBe(one.first.id);
    await Translation.updateOne({ _id: one.id }, { $set: { 'due.since': new Date(Date.now() - 700_000) } });
    await startDue(60);
    const { job, due } = await stored(one.id);
    expect([job === one.first.id, due]).toEqual([false, undefined]);
  });

  it('is no longer due after a run with the changes', async ({ translated, merge }) => {
    const one = await translated(pages);
    await merge(one, 'two', 'Changed text.\n');
    expect((await stored(one.id)).due).toBeDefined();
    await one.run();
    expect((await stored(one.id)).due).toBeUndefined();
  });

  it('runs when a term of its languages changes, and translates only the texts with the term', async ({
    translated,
    glossary,
    startDue,
    ended,
    engine,
  }) => {
    const one = await translated(pages);
    await glossary({ type: 'insert', translations: { de: 'Seite', fr: 'page' } });
    expect((await stored(one.id)).due).toBeUndefined();
    engine.asked.length = 0;
    await glossary({ type: 'insert', translations: { en: 'page', es: 'hoja', fr: 'page' } });
    await startDue();
    await ended((await stored(one.id)).job);
    expect(engine.asked).toHaveLength(1);
    expect((await one.page('one')).text).toContain('hoja');
    expect(await one.show()).toMatchObject({ stats: { runs: 2, latestPages: 1 } });
  });
});

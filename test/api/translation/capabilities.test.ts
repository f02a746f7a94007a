import type { EngineOffer } from '@bindery/contract';
import { createGate, missingOffer, offerOf, openApertium, pseudoLocaleEngine } from '@bindery/engines';
import { runScript, startWorker, translationJobs, type RunningWorker } from '@bindery/jobs';
import { WorkerEntry } from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { afterEach, describe, expect } from 'vitest';
import { buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const running: RunningWorker[] = [];
afterEach(async () => {
  for (const worker of running.splice(0)) await worker.stop(0);
  await WorkerEntry.deleteMany({});
});

/** An engine over a network that can translate these languages into each other. */
const serviceOf = (name: string, languages: readonly string[]): EngineOffer =>
  offerOf({
    ...pseudoLocaleEngine,
    name,
    route: ({ source, target }) =>
      languages.includes(source) && languages.includes(target) ? [source, target] : undefined,
  });

const it = base
  /** Starts a worker that tells these engines. */
  .extend('tell', ({ api }) => async (engines?: readonly EngineOffer[]) => {
    const runTranslation = async () => ({
      result: { revision: 'r', engine: 'none', route: [], unchanged: true },
    });
    const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
    const options = { app: 'worker-translation', concurrency: 1, config: api.config, logger, engines };
    const estimateTranslation = () => Promise.reject(new Error('unused'));
    running.push(await startWorker(translationJobs, { runTranslation, estimateTranslation }, options));
  })
  .extend('capabilities', ({ api, guest }) => async () => {
    const { status, body, text } = await api.call('GET', '/v1/system/capabilities', { token: guest.token });
    expect(status, text).toBe(200);
    return body.translation as { worker: string; engines: Record<string, unknown>[] };
  })
  .extend('translate', ({ api, organization, admin }) => async (source: string, language: string) => {
    const { _id: space } = await buildSpace(organization);
    return api.call('POST', `/v1/orgs/${organization._id}/translations`, {
      token: admin.token,
      json: { language, source: { space, language: source } },
    });
  });

describe('the capabilities of the platform', () => {
  it('require a token', async ({ api }) => {
    expect((await api.call('GET', '/v1/system/capabilities')).status).toBe(401);
  });

  it('list no engines while no worker runs', async ({ capabilities, tell }) => {
    expect(await capabilities()).toEqual({ worker: 'no worker is running', engines: [] });
    await tell([offerOf(pseudoLocaleEngine)]);
    expect(await capabilities()).toMatchObject({ worker: 'ok', engines: [{ name: 'pseudo-locale' }] });
    await WorkerEntry.updateMany({}, { expireAt: new Date(0) });
    expect(await capabilities()).toEqual({ worker: 'no worker is running', engines: [] });
  });

  it('name the language pairs of Apertium with their chain, and mark the pseudo-locale as no translation', async ({
    capabilities,
    tell,
  }) => {
    const apertium = await openApertium({ root: '/' });
    await tell([offerOf(apertium!), offerOf(pseudoLocaleEngine), missingOffer('deepl', 'It has no key.')]);
    const { engines } = await capabilities();
    const [first, second, third] = engines;
    expect(first).toMatchObject({
      name: 'apertium',
      label: 'Apertium, rules and dictionaries',
      abilities: { instructions: false, glossary: false, formatting: true },
      state: 'available',
    });
    expect(first?.pairs).toContainEqual(
      expect.objectContaining({ targets: expect.arrayContaining(['it']), through: ['es'] }),
    );
    expect(second).toMatchObject({
      label: expect.stringContaining('not a translation'),
      pairs: 'any',
      state: 'available',
    });
    expect(third).toEqual({
      name: 'deepl',
      label: 'DeepL',
      pairs: [],
      state: 'unavailable',
      reason: 'It has no key.',
    });
    await apertium!.close();
  });

  it('report the present state of each engine', async ({ capabilities, tell }) => {
    const names = ['throttled', 'failed', 'quota', 'fine'].map((name) => `${name}-${newId()}`);
    await tell(names.map((name) => serviceOf(name, ['en', 'ja'])));
    const leave = async (name: string, outcome: Parameters<Leave>[0]) => {
      const limits = { callsAtOnce: 1, failures: 1, baseMs: 60_000, capMs: 60_000, leaseMs: 9_000 };
      const gate = createGate(name, {
        run: runScript,
        limits: { ...limits, askedMs: { min: 1, max: 60_000 } },
      });
      const answer = await gate.enter();
      if (answer.state === 'in') await answer.leave(outcome);
    };
    await leave(names[0]!, { kind: 'throttled', retryAfterMs: 50_000 });
    await leave(names[1]!, { kind: 'failed' });
    await leave(names[2]!, { kind: 'refused', note: 'quota' });
    const { engines } = await capabilities();
    const until = expect.stringMatching(/^2\d{3}-.*Z$/);
    expect(engines.map(({ state, reason, until: time }) => ({ state, reason, time }))).toEqual([
      { state: 'throttled', reason: undefined, time: until },
      { state: 'unavailable', reason: 'It has failed repeatedly.', time: until },
      { state: 'unavailable', reason: 'Its quota is exhausted.', time: undefined },
      { state: 'available', reason: undefined, time: undefined },
    ]);
  });

  it('list an engine only once when it starts in one of two workers', async ({ capabilities, tell }) => {
    await tell([serviceOf('deepl', ['en', 'ja'])]);
    await tell([missingOffer('deepl', 'It has no key.'), offerOf(pseudoLocaleEngine)]);
    const { engines } = await capabilities();
    expect(engines.map(({ name, state }) => [name, state])).toEqual([
      ['deepl', 'available'],
      ['pseudo-locale', 'available'],
    ]);
  });
});

type Leave = Extract<Awaited<ReturnType<ReturnType<typeof createGate>['enter']>>, { state: 'in' }>['leave'];

describe('a translation of a language pair that no engine supports', () => {
  it('is refused with the engines that could support it', async ({ translate, tell }) => {
    await tell([serviceOf('apertium', ['en', 'es']), missingOffer('deepl', 'It has no key.')]);
    const { status, body } = await translate('en', 'ja');
    expect(status).toBe(400);
    expect(body.error.message).toMatch(
      /body\.language is not a language that the engines .* \(apertium\) translate from en into\. Engines that could .*: deepl, libretranslate, openai\.$/,
    );
    expect((await translate('en', 'es')).status).toBe(201);
  });

  it('is accepted, and waits, while no worker runs or a worker reports no engines', async ({
    translate,
    tell,
  }) => {
    expect((await translate('en', 'ja')).status).toBe(201);
    await tell();
    expect((await translate('en', 'ja')).status).toBe(201);
  });
});

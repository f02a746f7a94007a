// Runs translations as the translation worker does, in a process of its own, and counts what they do.
import { setTimeout as delay } from 'node:timers/promises';
import { openApertium, pseudoLocaleEngine, type Engine } from '@bindery/engines';
import { connectJobs, runTranslation, startWorker, translationJobs } from '@bindery/jobs';
import { connectMongo, jobCollection, Translation, type TranslationRecord } from '@bindery/models';
import { createLogger, loadConfig } from '@bindery/runtime';
import { translationProcessors } from '../../apps/worker-translation/src/processors.ts';
import { preparePages } from '../../apps/worker-translation/src/run/pages.ts';

export type RunRequest = { translation: string };
export type RunFigures = {
  /** From the request until the result is published. */
  ms: number;
  /** Processor time of this process meanwhile: other programs on the machine lengthen it less. */
  cpuMs: number;
  /** The number of calls to the engine, and their texts. */
  calls: number;
  texts: string[];
  /** Pages that were parsed and made. */
  pages: number;
  /** The largest resident set of this process so far. */
  peakMb: number;
};

const counts = { calls: 0, texts: [] as string[] };

function counting(engine: Engine): Engine {
  return {
    ...engine,
    translate: async (texts, request) => {
      counts.calls += 1;
      counts.texts.push(...texts);
      return engine.translate(texts, request);
    },
  };
}

async function openEngine(): Promise<Engine> {
  if (process.env.ENGINE !== 'apertium') return pseudoLocaleEngine;
  const engine = await openApertium({ root: '/' });
  if (!engine) throw new Error('Apertium is not installed.');
  // Its programs stay from now on.
  const pair = { source: 'en', target: 'es' };
  await engine.translate(['A house.'], { pair, signal: new AbortController().signal });
  return engine;
}

async function run({ translation: id }: RunRequest): Promise<RunFigures> {
  Object.assign(counts, { calls: 0, texts: [] });
  const translation = await Translation.findById(id).lean<TranslationRecord>().orFail();
  const startMs = performance.now();
  const start = process.cpuUsage();
  const { job } = await runTranslation(translation, { startedBy: 'bench' });
  for (;;) {
    const record = await jobCollection().findOne({ _id: job._id });
    if (record?.state === 'succeeded') {
      const ms = performance.now() - startMs;
      const { user, system } = process.cpuUsage(start);
      const pages = record.stats?.pages as number;
      return {
        ms,
        cpuMs: (user + system) / 1_000,
        ...counts,
        pages,
        peakMb: process.resourceUsage().maxRSS / 1024,
      };
    }
    if (record && ['failed', 'cancelled', 'superseded'].includes(record.state))
      throw new Error(`The run ended as ${record.state}: ${JSON.stringify(record.error)}`);
    // Asking more often took a sixth of the processor time of the run.
    await delay(10);
  }
}

const config = loadConfig();
await connectMongo(config);
connectJobs(config);
await startWorker(translationJobs, translationProcessors([counting(await openEngine())], config), {
  app: 'bench',
  concurrency: 1,
  config,
  logger: createLogger(config, { app: 'bench' }),
});
preparePages();
process.on('message', (request: RunRequest) => {
  void run(request).then((figures) => process.send?.(figures));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

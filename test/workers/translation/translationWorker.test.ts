import { disconnectMongo, WorkerEntry } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectStores } from '../../support/apiServer.ts';
import { startApp, type AppProcess } from '../../support/processes/appProcess.ts';

const apps: AppProcess[] = [];
const start = async (environment: NodeJS.ProcessEnv) => {
  const app = await startApp('worker-translation', { ...process.env, ...environment });
  apps.push(app);
  return app;
};

beforeAll(() => connectStores(loadConfig()));
afterEach(async () => {
  for (const app of apps.splice(0)) {
    app.signal('SIGTERM');
    expect(await app.ended).toBe(0);
  }
  await WorkerEntry.deleteMany({});
});
afterAll(() => disconnectMongo());

describe('the translation worker', () => {
  it.each(['apertium', 'pseudo-locale'])('runs one job at a time with the engine %s', async (engine) => {
    await start({ BINDERY_TRANSLATION_ENGINES: engine, BINDERY_WORKER_CONCURRENCY: '7' });
    expect(await WorkerEntry.find().lean()).toMatchObject([
      { app: 'worker-translation', queues: ['translation'], concurrency: 1 },
    ]);
  });

  it('starts with the installed engines, and warns of the missing one', async () => {
    const { lines } = await start({
      BINDERY_TRANSLATION_ENGINES: 'apertium,pseudo-locale',
      BINDERY_APERTIUM_ROOT: '/nowhere',
      LOG_LEVEL: 'warn',
    });
    expect(lines.join('\n')).toMatch(/An engine of translations cannot be used: there is no Apertium /);
    expect(await WorkerEntry.find().lean()).toMatchObject([
      {
        engines: [
          { name: 'apertium', pairs: [], reason: 'Apertium is not installed.' },
          { name: 'pseudo-locale', pairs: 'any' },
        ],
      },
    ]);
  });

  it('does not start without Apertium, and names once the package to install', async () => {
    const error = await start({ BINDERY_APERTIUM_ROOT: '/nowhere', LOG_LEVEL: 'warn' }).then(
      () => new Error('It did start.'),
      (problem: Error) => problem,
    );
    const [end, ...lines] = error.message.split('\n');
    expect(end).toContain('ended (1)');
    // On a busy machine, connections that end with the process may say so.
    const records = lines.map((line) => JSON.parse(line) as { level: number });
    expect(records.filter(({ level }) => level === 60)).toMatchObject([
      {
        level: 60,
        msg: expect.stringMatching(
          /^worker-translation cannot start: there is no Apertium .*\. Install it \(Debian: `apt-get install apertium /,
        ),
      },
    ]);
    expect(await WorkerEntry.countDocuments()).toBe(0);
  });
});

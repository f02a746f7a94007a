import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepPrograms, type Run } from './run.ts';
import { startProvidedWorker, type Need } from './startProvidedWorker.ts';

let folder: string;
let run: Run;
let said: string[];
let noted: string[];
let stop: AbortController;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-provided-'));
  [said, noted] = [[], []];
  stop = new AbortController();
  const say = (line: string) => void said.push(line);
  const { keep } = keepPrograms({ say, isTerminal: false, onChange: () => {}, onFailed: () => {} });
  run = { environment: process.env, signal: stop.signal, say, undo: new AsyncDisposableStack(), keep };
});
afterEach(async () => {
  stop.abort();
  await run.undo.disposeAsync();
  await rm(folder, { recursive: true });
});

/** A worker whose program is missing, and which writes into a file where it found it. */
async function start(provide: Need['provide']) {
  const main = join(folder, 'worker.js');
  await writeFile(
    main,
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'got'))}, process.env.PROGRAM);
    process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000); process.send({ ready: true })`,
  );
  return startProvidedWorker(
    run,
    { name: 'worker-fake', main, count: 1, before: 0, isWorker: true },
    {
      need: {
        work: 'Faking',
        find: async () => undefined,
        provide,
        reasons: { installing: 'being installed', missing: 'missing' },
      },
      environment: process.env,
      graceMs: 0,
      notices: {
        listenersFor: () => ({
          onReady: () => void noted.push('ready'),
          onDeath: ({ reason }) => void noted.push(reason),
        }),
        close: async () => {},
      },
    },
  );
}

it('starts the worker with the installed program, and does not wait for the installation', async () => {
  const installed = Promise.withResolvers<NodeJS.ProcessEnv>();
  expect(await start(async () => installed.promise)).toEqual([]);
  expect(noted).toEqual(['being installed']);
  installed.resolve({ PROGRAM: '/usr/bin/program' });
  await vi.waitFor(() => expect(noted).toEqual(['being installed', 'ready']), { timeout: 20_000 });
  expect(await readFile(join(folder, 'got'), 'utf8')).toBe('/usr/bin/program');
});

it('reports the missing program', async () => {
  await start(async () => {
    throw new Error('There is no program here.');
  });
  await vi.waitFor(() => expect(noted).toEqual(['being installed', 'missing']), { timeout: 20_000 });
  expect(said).toEqual(['Faking: There is no program here.\nFaking: everything else works without it.']);
});

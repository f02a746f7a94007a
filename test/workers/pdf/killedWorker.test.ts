import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { browserProcesses, profilesOf } from '../../support/pdf/browserProcesses.ts';
import { findTestChromium } from '../../support/pdf/chromium.ts';
import { commandOf, processIds } from '../../support/processes/procfs.ts';
import { until } from '../../support/until.ts';

const script = fileURLToPath(new URL('../../support/pdf/browserWorker.ts', import.meta.url));
const { executable, missing } = await findTestChromium();

describe.skipIf(missing)('the browser of a worker that is killed', () => {
  const workers: ChildProcess[] = [];
  const start = async () => {
    const worker = fork(script, { env: { ...process.env, CHROME_PATH: executable } });
    workers.push(worker);
    await once(worker, 'message');
    return worker;
  };
  afterEach(() => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  });

  it('ends within 5 s, frozen or not, and the next worker removes its profile', async () => {
    for (const isFrozen of [false, true]) {
      const worker = await start();
      const processes = browserProcesses(worker.pid!);
      expect(processes.length).toBeGreaterThan(3);
      if (isFrozen) for (const pid of processes) process.kill(pid, 'SIGSTOP');
      worker.kill('SIGKILL');
      await until(
        'end of the browser',
        () => processIds().every((pid) => !processes.includes(pid) || commandOf(pid) === ''),
        { timeoutMs: 5_000 },
      );
      expect(profilesOf(worker.pid!)).toHaveLength(1);
      const next = await start();
      expect(profilesOf(worker.pid!)).toEqual([]);
      expect(browserProcesses(next.pid!).length).toBeGreaterThan(3);
      next.send('close');
      await once(next, 'exit');
      expect(profilesOf(next.pid!)).toEqual([]);
      expect(browserProcesses(next.pid!)).toEqual([]);
    }
  });
});

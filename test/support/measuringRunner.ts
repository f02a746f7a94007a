import { TestRunner, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { numbersOf } from './processes/procfs.ts';
import { isTimed, takeTurn } from './timedFiles.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a file, in milliseconds: of its test process and of the processes that this one started and that have ended. */
    processorMs?: number;
  }
}

/** Runs tests as usual, those that measure times one file at a time, and notes the processor time that each file took. */
export default class MeasuringRunner extends TestRunner {
  #startMs = 0;
  #endTurn = () => {};

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (isFile(suite)) {
      // A file that could not be loaded does not get to its end.
      if (isTimed(suite.filepath) && suite.result?.state !== 'fail') this.#endTurn = await takeTurn();
      this.#startMs = processorMs();
    }
    await super.onBeforeRunSuite(suite);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!isFile(suite)) return;
    suite.meta.processorMs = processorMs() - this.#startMs;
    this.#endTurn();
    // The next turn may be another process's.
    this.#endTurn = () => {};
  }
}

function isFile(suite: RunnerTestSuite | RunnerTestFile): suite is RunnerTestFile {
  return 'filepath' in suite;
}

/** Of this process and its children; elsewhere than on Linux only of itself. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return numbersOf('self')?.processorMs ?? (user + system) / 1_000;
}

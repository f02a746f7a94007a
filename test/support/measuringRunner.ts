import { TestRunner, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { isLate } from './lateFiles.ts';
import { numbersOf } from './processes/procfs.ts';
import { isTimed, takeTurn } from './timedFiles.ts';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Processor time of a file, in milliseconds: of its test process and of that process's ended children.
     */
    processorMs?: number;
  }
}

/**
 * Runs tests as usual, timed files one at a time and late files not at all, and records the processor time of
 * each file.
 */
export default class MeasuringRunner extends TestRunner {
  #startMs = 0;
  #endTurn = () => {};

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (isFile(suite) && isLate(suite.filepath)) {
      suite.mode = 'skip';
    } else if (isFile(suite)) {
      // A file that could not be loaded does not reach its end.
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
    // The next turn may belong to another process.
    this.#endTurn = () => {};
  }
}

function isFile(suite: RunnerTestSuite | RunnerTestFile): suite is RunnerTestFile {
  return 'filepath' in suite;
}

/** Of this process and its children; outside Linux only of this process. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return numbersOf('self')?.processorMs ?? (user + system) / 1_000;
}

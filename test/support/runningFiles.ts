import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Longer than any file takes. */
const patienceMs = 10 * 60_000;
/** Tests that run when a run is cancelled may end within this time. */
const graceMs = 60_000;

/**
 * Names the running files whenever no file has ended for ten minutes, and cancels the run after
 * `BINDERY_TEST_MINUTES`. A run that hangs would be ended from outside, and its output would say neither
 * where it hung nor what had failed.
 */
export default class RunningFiles implements Reporter {
  readonly #running = new Map<string, number>();
  #vitest: Vitest | undefined;
  #pause: NodeJS.Timeout | undefined;
  #limit: NodeJS.Timeout | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(): void {
    const minutes = Number(process.env.BINDERY_TEST_MINUTES ?? 0);
    this.#pause = setInterval(
      () => this.#name(`No file has ended for ${patienceMs / 60_000} min`),
      patienceMs,
    );
    if (minutes > 0) this.#limit = setTimeout(() => this.#cancel(minutes), minutes * 60_000);
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#running.set(moduleId, performance.now());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
    this.#pause?.refresh();
  }

  onTestRunEnd(): void {
    clearInterval(this.#pause);
    clearTimeout(this.#limit);
  }

  #name(problem: string): string {
    const lines = [...this.#running].map(([file, startMs]) => {
      const minutes = Math.round((performance.now() - startMs) / 60_000);
      return `  ${relative(process.cwd(), file)}, for ${minutes} min`;
    });
    const text = `${problem}. Running: ${lines.length === 0 ? 'none' : `\n${lines.join('\n')}`}\n`;
    console.error(text);
    return text;
  }

  #cancel(minutes: number): void {
    const text = this.#name(`The run is cancelled: it exceeds its time limit of ${minutes} min`);
    const failures = process.env.BINDERY_TEST_FAILURES;
    if (failures !== undefined) appendFileSync(failures, text);
    process.exitCode = 1;
    const cancel = () => void this.#vitest?.cancelCurrentRun('keyboard-input');
    cancel();
    // The second time kills the test processes.
    this.#limit = setTimeout(cancel, graceMs);
  }
}

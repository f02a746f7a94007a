import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Longer than any file takes. */
const patienceMs = 10 * 60_000;

/**
 * Names the running files whenever no file has ended for ten minutes: a run that hangs is ended from outside,
 * and its output would not say where it hung.
 */
export default class RunningFiles implements Reporter {
  readonly #running = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#running.set(moduleId, performance.now());
    this.#timer ??= setInterval(() => this.#name(), patienceMs).unref();
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
    this.#timer?.refresh();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #name(): void {
    const lines = [...this.#running].map(([file, startMs]) => {
      const minutes = Math.round((performance.now() - startMs) / 60_000);
      return `  ${relative(process.cwd(), file)}, for ${minutes} min`;
    });
    console.log(`No file has ended for ${patienceMs / 60_000} min. These are running:`);
    console.log(lines.length > 0 ? lines.join('\n') : '  none');
  }
}

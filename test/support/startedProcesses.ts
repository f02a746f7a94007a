import { identityOf, isRunning, type ProcessIdentity } from '@bindery/runtime';
import { commandOf, environmentOf, numbersOf, processIds } from './processes/procfs.ts';

const variable = 'BINDERY_TEST_RUN';
/** Shorter than any process of a run lives that could leave one behind. */
const lookEveryMs = 250;

/** A process that a run has started, at whatever distance. */
export type StartedProcess = ProcessIdentity & { command: string };

export type StartedProcesses = {
  /** Goes into the environment of the run. */
  mark: NodeJS.ProcessEnv;
  /** Those that run now. */
  running(): StartedProcess[];
  /** Once everything has ended. */
  close(): void;
};

/**
 * Knows every process of a run, also of programs that died meanwhile: by the environment, which they inherit, and where that was cleared by the parent and
 * by the session, which stays what it was when the parent dies. Linux only: elsewhere it knows none.
 */
export function watchStartedProcesses(id: string): StartedProcesses {
  const mark = `${variable}=${id}`;
  const sessions = new Set<number>();
  const look = (): StartedProcess[] => {
    const all = new Map(processIds().map((pid) => [pid, numbersOf(pid)]));
    // Each is looked at once, however many it has started.
    const known = new Map<number, boolean>();
    const isOurs = (pid: number): boolean => {
      const numbers = all.get(pid);
      if (!numbers) return false;
      const isOne = known.get(pid) ?? (sessions.has(numbers.session) || environmentOf(pid).includes(mark) || isOurs(numbers.parent));
      known.set(pid, isOne);
      if (isOne) sessions.add(numbers.session);
      return isOne;
    };
    return [...all.keys()].filter(isOurs).map((pid) => ({ ...identityOf(pid), command: commandOf(pid) }));
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    mark: { [variable]: id },
    running: () => look().filter(isRunning),
    close: () => clearInterval(timer),
  };
}

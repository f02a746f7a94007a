import { identityOf, isRunning, type ProcessIdentity } from '@bindery/runtime';
import { commandOf, environmentOf, numbersOf, processIds } from './processes/procfs.ts';

const variable = 'BINDERY_TEST_RUN';
/** Shorter than the life of any process of a run that could leave another one behind. */
const lookEveryMs = 250;

/** A process started by a run, directly or indirectly. */
export type StartedProcess = ProcessIdentity & { command: string };

export type StartedProcesses = {
  /** To be added to the environment of the run. */
  mark: NodeJS.ProcessEnv;
  /** The running ones. */
  running(): StartedProcess[];
  /** To be called once everything has ended. */
  close(): void;
};

/**
 * Tracks all processes of a run, including those of programs that have died: by the inherited environment or,
 * where that was cleared, by the parent and the session, which does not change when the parent dies. On Linux
 * only; elsewhere it finds none.
 */
export function watchStartedProcesses(id: string): StartedProcesses {
  const mark = `${variable}=${id}`;
  const sessions = new Set<number>();
  const look = (): StartedProcess[] => {
    const all = new Map(processIds().map((pid) => [pid, numbersOf(pid)]));
    // Each is checked once, however many it has started.
    const known = new Map<number, boolean>();
    const isOurs = (pid: number): boolean => {
      const numbers = all.get(pid);
      if (!numbers) return false;
      const isOne =
        known.get(pid) ??
        (sessions.has(numbers.session) || environmentOf(pid).includes(mark) || isOurs(numbers.parent));
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

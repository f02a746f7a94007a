import { identityOf, isRunning, type ProcessIdentity } from '@bindery/runtime';
import { commandOf, environmentOf, numbersOf, processIds } from './procfs.ts';

const variable = 'BINDERY_TEST_RUN';
/** Shorter than any process of a run lives that could leave one behind. */
const lookEveryMs = 250;

/** A process that a run has started, at whatever distance. */
export type StartedProcess = ProcessIdentity & { parent: number; session: number; command: string };

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
    const all = listProcesses();
    const byPid = new Map(all.map((one) => [one.pid, one]));
    const isOurs = (one: StartedProcess): boolean => {
      if (sessions.has(one.session)) return true;
      const parent = byPid.get(one.parent);
      const isFound = environmentOf(one.pid).includes(mark) || (parent !== undefined && isOurs(parent));
      if (isFound) sessions.add(one.session);
      return isFound;
    };
    return all.filter(isOurs);
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    mark: { [variable]: id },
    running: () => look().filter(isRunning),
    close: () => clearInterval(timer),
  };
}

function listProcesses(): StartedProcess[] {
  return processIds().flatMap((pid) => {
    const numbers = numbersOf(pid);
    return numbers ? [{ ...identityOf(pid), parent: numbers.parent, session: numbers.session, command: commandOf(pid) }] : [];
  });
}

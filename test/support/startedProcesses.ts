import { readdirSync, readFileSync } from 'node:fs';
import { identityOf, isRunning, type ProcessIdentity } from '../../apps/cli/src/launcher/processes.ts';

const variable = 'BINDERY_TEST_RUN';
/** Shorter than any process of a run lives that could leave one behind. */
const lookEveryMs = 250;

/** A process that a run has started, at whatever distance. */
export type StartedProcess = ProcessIdentity & { session: string; command: string };

export type StartedProcesses = {
  /** Goes into the environment of the run. */
  mark: NodeJS.ProcessEnv;
  /** Those that run now. */
  running(): StartedProcess[];
  /** Once everything has ended. */
  close(): void;
};

/**
 * Knows every process of a run, also of programs that died meanwhile: by the environment, which they inherit, and where that was cleared by the session, of
 * which each program has its own. Linux only: elsewhere it knows none.
 */
export function watchStartedProcesses(id: string): StartedProcesses {
  const mark = `${variable}=${id}`;
  const sessions = new Set<string>();
  const look = (): StartedProcess[] => {
    const all = listProcesses();
    const environmentOf = new Map(all.map(({ pid }) => [pid, read(`/proc/${pid}/environ`)]));
    for (const { pid, session } of all) if (environmentOf.get(pid)?.split('\0').includes(mark)) sessions.add(session);
    return all.filter(({ session }) => sessions.has(session));
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    mark: { [variable]: id },
    running: () => look().filter(isRunning),
    close: () => clearInterval(timer),
  };
}

function listProcesses(): StartedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`);
      if (stat === undefined) return [];
      // The second field is the program's name in brackets and may hold anything; the sixth is the session.
      const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3] ?? '';
      const command = (read(`/proc/${name}/cmdline`) ?? '').replaceAll('\0', ' ');
      return [{ ...identityOf(Number(name)), session, command }];
    });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

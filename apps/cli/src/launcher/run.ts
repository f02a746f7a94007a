import type { Program } from '../program.ts';
import { mongodProblem } from '../services/mongodProblem.ts';
import { formatLine } from './output/formatLine.ts';
import { supervise, type ProgramFailed, type Supervised, type SupervisorEvents } from './supervise.ts';

/** One run of the launcher, shared by its steps. */
export type Run = {
  environment: NodeJS.ProcessEnv;
  /** Aborted when the run must end. */
  signal: AbortSignal;
  /** Prints a line for the user at the terminal. */
  say: (line: string) => void;
  /** The cleanup of each step, in reverse order. */
  undo: AsyncDisposableStack;
  /** Starts a program and keeps it running; the caller also defers its stop. */
  keep: (program: Program, listeners?: Pick<SupervisorEvents, 'onReady' | 'onDeath'>) => Supervised;
};

/** All programs of a run. */
export type Programs = {
  keep: Run['keep'];
  /** Process ids by name; a list when several run. */
  pids: () => Record<string, number | number[]>;
  killAll: () => void;
};

export type ProgramEvents = {
  say: Run['say'];
  /** Whether the programs' log lines are formatted for a person, or passed on unchanged. */
  isTerminal: boolean;
  /** Called when process ids have changed. */
  onChange: () => void;
  /** Called when a store cannot be kept running. */
  onFailed: (problem: ProgramFailed) => void;
};

export function keepPrograms({ say, isTerminal, onChange, onFailed }: ProgramEvents): Programs {
  const all: Supervised[] = [];
  return {
    keep(program, listeners) {
      const supervised = supervise(program, {
        ...listeners,
        onDeath: (failing) => {
          onChange();
          listeners?.onDeath?.(failing);
        },
        onLine: (line) => {
          // A store's lines are for its developers; the last ones are shown when it fails.
          if (!program.isStore) say(isTerminal ? formatLine(program.name, line) : line);
        },
        onStart: onChange,
        say,
        onGiveUp: onFailed,
      });
      all.push(supervised);
      return supervised;
    },
    pids() {
      const pids: Record<string, number | number[]> = { launcher: process.pid };
      for (const { name, pid } of all) {
        const now = pid();
        if (now === undefined) continue;
        const before = pids[name];
        pids[name] = before === undefined ? now : [...(Array.isArray(before) ? before : [before]), now];
      }
      return pids;
    },
    killAll: () => {
      for (const supervised of all) supervised.kill();
    },
  };
}

/** Describes a store's failure with its last lines, translated if they are mongod's. */
export function failureText({ message, lastLines }: ProgramFailed): string {
  return withLastLines(
    message,
    lastLines.map((line) => mongodProblem(line) ?? line),
  );
}

export function withLastLines(message: string, lines: readonly string[]): string {
  return [
    message,
    ...(lines.length > 0 ? ['Its last lines:', ...lines.map((line) => `  ${line.slice(0, 2_000)}`)] : []),
  ].join('\n');
}

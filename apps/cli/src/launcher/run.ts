import { mongodProblem } from '../services/mongodProblem.ts';
import { formatLine } from './output/formatLine.ts';
import { supervise, type Program, type ProgramFailed, type Supervised, type SupervisorEvents } from './supervise.ts';

/** One run of the launcher: what its steps share. */
export type Run = {
  environment: NodeJS.ProcessEnv;
  /** Aborted when the run has to end. */
  signal: AbortSignal;
  /** Tells the person at the terminal. */
  say: (line: string) => void;
  /** What each step has to undo, last step first. */
  undo: AsyncDisposableStack;
  /** Starts a program and keeps it running; whoever calls it also defers its stop. */
  keep: (program: Program, listeners?: Pick<SupervisorEvents, 'onReady' | 'onDeath'>) => Supervised;
};

/** All programs of a run, for those who ask about the whole. */
export type Programs = {
  keep: Run['keep'];
  /** Name to process id, or to a list where several run. */
  pids: () => Record<string, number | number[]>;
  killAll: () => void;
};

export type ProgramEvents = {
  say: Run['say'];
  /** Whether the programs' own lines are made readable for a person, or passed on as they come. */
  isTerminal: boolean;
  /** The process ids are other ones now. */
  onChange: () => void;
  /** A store cannot be kept running. */
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
          // A store's lines are for its makers; the last of them are shown when it fails.
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

/** A store's failure with its last lines, in words where it is mongod that speaks. */
export function failureText({ message, lastLines }: ProgramFailed): string {
  return withLastLines(
    message,
    lastLines.map((line) => mongodProblem(line) ?? line),
  );
}

export function withLastLines(message: string, lines: readonly string[]): string {
  return [message, ...(lines.length > 0 ? ['Its last lines:', ...lines.map((line) => `  ${line.slice(0, 2_000)}`)] : [])].join('\n');
}

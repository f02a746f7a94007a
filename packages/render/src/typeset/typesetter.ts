import { Worker } from 'node:worker_threads';
import type { CodeToken } from '@bindery/dialect';
import { LRUCache } from 'lru-cache';
import { plainLanguages } from './plainLanguages.ts';

export type TypesetTask =
  | { kind: 'code'; code: string; language: string }
  | { kind: 'formula'; tex: string; display: 'block' | 'inline' };
type Result = CodeToken[][] | string | undefined;
/** A message of the thread: once that it has loaded, then the result of each task. */
export type ThreadMessage = { isReady: true } | { result: Result };

/** For one page. Never rejects. */
export type PageTypesetter = {
  /** Splits code into lines of coloured tokens. */
  highlighted(code: string, language: string): Promise<CodeToken[][]>;
  /** Typesets TeX as trusted HTML; undefined to show its source. */
  formula(tex: string, display: 'block' | 'inline'): Promise<string | undefined>;
  /** False after a block that took too long, perhaps because the machine was busy. */
  isComplete(): boolean;
};

/**
 * Highlights code and sets formulas on another thread: a grammar or a formula may take seconds, and memory.
 * Code in an unknown language, and what is too long or takes too long, stays as it is written.
 */
export type Typesetter = {
  /**
   * After a block that took too long, the others of its page are shown as they are written; all of them with
   * `isTypeset: false`.
   */
  forPage(options?: { isTypeset?: boolean }): PageTypesetter;
  close(): Promise<void>;
};

/** HTML of highlighted code is eight times as long. */
const mostCode = 100_000;
const mostTex = 5_000;
/** Many times the slowest usual code on a busy machine. */
const limitMs = 8_000;
/** Time for the thread to load on a busy machine. */
const startMs = 30_000;
const cachedCharacters = 4_000_000;
const resourceLimits = { maxOldGenerationSizeMb: 384 };

/** `lost`: the thread ended. */
type Answer = { result: Result } | 'lost';
type Thread = {
  worker: Worker;
  isReady: boolean;
  answer?: (answer: Answer) => void;
  /** Gives the running task its time from now on. */
  setTimer?: () => void;
};

/** The thread starts with the first task. */
export function createTypesetter(): Typesetter {
  const cache = new LRUCache<string, { result: Result }>({
    maxSize: cachedCharacters,
    sizeCalculation: (_, key) => key.length,
  });
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Thread => {
    const worker = new Worker(new URL('./typesetThread.ts', import.meta.url), {
      // The thread must not inherit the Node options of this process.
      execArgv: [],
      resourceLimits,
      // Nobody reads what the libraries say about an author's mistakes.
      stdout: true,
      stderr: true,
    });
    const started: Thread = { worker, isReady: false };
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (message: ThreadMessage) => {
      if ('isReady' in message) {
        started.isReady = true;
        // The task that started the thread has the same time as any other.
        started.setTimer?.();
      } else started.answer?.(message);
    });
    // It exits after an error.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (thread === started) thread = undefined;
      started.answer?.('lost');
    });
    return started;
  };

  const run = async (task: TypesetTask): Promise<Answer> => {
    const used = (thread ??= start());
    const { worker } = used;
    worker.ref();
    const answer = await new Promise<Answer>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      used.setTimer = () => {
        clearTimeout(timer);
        timer = setTimeout(() => void worker.terminate(), used.isReady ? limitMs : startMs);
      };
      used.setTimer();
      used.answer = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      worker.postMessage(task);
    });
    delete used.answer;
    delete used.setTimer;
    // An idle thread must not keep the process alive.
    worker.unref();
    return answer;
  };

  const find = async (task: TypesetTask): Promise<Answer> => {
    const key = JSON.stringify(task);
    const known = cache.get(key);
    if (known) return known;
    const answer = await run(task);
    if (answer !== 'lost') cache.set(key, answer);
    return answer;
  };

  const forPage: Typesetter['forPage'] = ({ isTypeset = true } = {}) => {
    let isSlow = !isTypeset;
    /** One task at a time, so that each has the whole of its time. */
    const inTurn = async (task: TypesetTask): Promise<Result> => {
      const mine = last.then(async () => (isSlow ? 'lost' : find(task)));
      last = mine;
      const answer = await mine;
      if (answer !== 'lost') return answer.result;
      isSlow = true;
      return undefined;
    };
    return {
      async highlighted(code, language) {
        const name = language.toLowerCase();
        if (plainLanguages.has(name) || name.length > 40 || code.length > mostCode) return plain(code);
        const lines = await inTurn({ kind: 'code', code, language: name });
        return Array.isArray(lines) ? lines : plain(code);
      },
      async formula(tex, display) {
        if (tex.trim() === '' || tex.length > mostTex) return undefined;
        const html = await inTurn({ kind: 'formula', tex, display });
        return typeof html === 'string' ? html : undefined;
      },
      isComplete: () => !isSlow,
    };
  };

  return {
    forPage,
    async close() {
      await thread?.worker.terminate();
    },
  };
}

function plain(code: string): CodeToken[][] {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text }]));
}

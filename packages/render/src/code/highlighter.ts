import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { CodeToken } from '@bindery/dialect';
import { plainLanguages } from './plainLanguages.ts';

export type HighlightTask = { code: string; language: string };
/** A message of the thread: once that it has loaded, then the result of each task. */
export type HighlightResult = { isReady: true } | { lines: CodeToken[][] | undefined };

export type Highlighter = {
  /**
   * Splits code into lines of coloured tokens, on another thread: a grammar may take seconds. Code in an
   * unknown language, longer code, and code that takes too long or too much memory has no colours.
   */
  highlighted(code: string, language: string): Promise<CodeToken[][]>;
  close(): Promise<void>;
};

/** Longer code is plain: its HTML would be eight times as long. */
const maxCharacters = 100_000;
const limitMs = 10_000;
/** Time for the thread to load on a busy machine. */
const startMs = 30_000;
const cachedCharacters = 4_000_000;
const resourceLimits = { maxOldGenerationSizeMb: 384 };

type Thread = { worker: Worker; isReady: boolean; answer?: (lines: CodeToken[][] | undefined) => void };

/** The thread starts with the first code in a language. */
export function createHighlighter(): Highlighter {
  const cache = new LRUCache<string, CodeToken[][]>({
    maxSize: cachedCharacters,
    sizeCalculation: (_, key) => key.length,
  });
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Thread => {
    // The thread must not inherit the Node options of this process.
    const worker = new Worker(new URL('./highlightThread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits,
    });
    const started: Thread = { worker, isReady: false };
    worker.on('message', (message: HighlightResult) => {
      if ('isReady' in message) started.isReady = true;
      else started.answer?.(message.lines);
    });
    // It exits after an error.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (thread === started) thread = undefined;
      started.answer?.(undefined);
    });
    return started;
  };

  const run = async (task: HighlightTask): Promise<CodeToken[][] | undefined> => {
    const used = (thread ??= start());
    const { worker } = used;
    worker.ref();
    const lines = await new Promise<CodeToken[][] | undefined>((resolve) => {
      const timer = setTimeout(() => void worker.terminate(), used.isReady ? limitMs : startMs);
      used.answer = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      worker.postMessage(task);
    });
    delete used.answer;
    // An idle thread must not keep the process alive.
    worker.unref();
    return lines;
  };

  return {
    async highlighted(code, language) {
      const name = language.toLowerCase();
      if (plainLanguages.has(name) || name.length > 40 || code.length > maxCharacters) return plain(code);
      const key = `${name}\n${code}`;
      const known = cache.get(key);
      if (known) return known;
      // One at a time, so that each has the whole of its time.
      const mine = last.then(() => cache.get(key) ?? run({ code, language: name }));
      last = mine;
      const lines = (await mine) ?? plain(code);
      cache.set(key, lines);
      return lines;
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}

function plain(code: string): CodeToken[][] {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text }]));
}

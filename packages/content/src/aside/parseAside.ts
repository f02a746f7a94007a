import { Worker } from 'node:worker_threads';
import type { DocumentTree } from '@bindery/contract';
import { parseDocument } from '../document/parseDocument.ts';

/** A text that takes longer is not read at all; usual pages take milliseconds. */
const maxMs = 30_000;
const maxThreads = 2;
/** Characters that take no tenth of a second, however they are chosen: to hand them over would take longer than to read them. */
const shortText = 8_000;
/** One hostile page shall end its thread, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 512, stackSizeMb: 4 };

/** What the threads of a process take at most, in megabytes. */
export const parsingMemoryMb = maxThreads * resourceLimits.maxOldGenerationSizeMb;

type Task = { markdown: string; done: (tree: DocumentTree | undefined) => void; timer?: NodeJS.Timeout };
type Thread = { worker: Worker; isOnline: boolean; task?: Task | undefined };

const idle: Thread[] = [];
const waiting: Task[] = [];
let threads = 0;

/**
 * Parses as `parseDocument` does, but on another thread if that may take long: what makes some texts slow to read keeps nobody else waiting. For
 * processes that answer requests or hold leases.
 *
 * @returns undefined for a text that took too long or too much memory
 */
export async function parseAside(markdown: string): Promise<DocumentTree | undefined> {
  if (markdown.length <= shortText) return parseDocument(markdown);
  return new Promise((done) => {
    waiting.push({ markdown, done });
    startNext();
  });
}

function startNext(): void {
  if (waiting.length === 0) return;
  const thread = idle.pop() ?? (threads < maxThreads ? startThread() : undefined);
  const task = thread && waiting.shift();
  if (!task) return;
  thread.task = task;
  task.timer = setTimeout(() => void thread.worker.terminate(), maxMs);
  thread.worker.ref();
  thread.worker.postMessage(task.markdown);
}

function startThread(): Thread {
  threads += 1;
  // The options of this process are not those of a thread.
  const worker = new Worker(new URL('./parseThread.ts', import.meta.url), { execArgv: [], resourceLimits });
  const thread: Thread = { worker, isOnline: false };
  worker.on('online', () => (thread.isOnline = true));
  worker.on('message', (tree: DocumentTree) => {
    // It waits for the next text without keeping the process alive.
    worker.unref();
    idle.push(thread);
    end(thread, () => tree);
  });
  // It exits after that.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    threads -= 1;
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    // Where no thread can be started, texts are read here.
    end(thread, (markdown) => (thread.isOnline ? undefined : parseDocument(markdown)));
  });
  return thread;
}

function end(thread: Thread, treeOf: (markdown: string) => DocumentTree | undefined): void {
  const { task } = thread;
  thread.task = undefined;
  if (task) {
    clearTimeout(task.timer);
    task.done(treeOf(task.markdown));
  }
  startNext();
}

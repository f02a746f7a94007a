import { parentPort } from 'node:worker_threads';
import type { ThreadMessage, ThreadTask } from './parserThreads.ts';
import { threadFunctions } from './threadFunctions.ts';

/** Runs on a thread of threads.ts: tasks come in, their results go out. */
const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
parentPort?.on('message', ({ name, input }: ThreadTask) => tell({ result: threadFunctions[name](input as never) }));
tell({ isReady: true });

import { parentPort } from 'node:worker_threads';
import type { ThreadMessage, ThreadTask } from './parserThreads.ts';
import { threadFunctions } from './threadFunctions.ts';

/** Runs on a thread of parserThreads.ts: receives tasks and sends their results. */
const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
parentPort?.on('message', ({ name, input }: ThreadTask) =>
  tell({ result: threadFunctions[name](input as never) }),
);
tell({ isReady: true });

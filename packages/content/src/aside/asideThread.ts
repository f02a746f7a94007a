import { parentPort } from 'node:worker_threads';
import type { AsideMessage, AsideTask } from './threads.ts';
import { asideWork } from './work.ts';

/** Runs on a thread of threads.ts: tasks come in, their results go out. */
const tell = (message: AsideMessage) => parentPort?.postMessage(message);
parentPort?.on('message', ({ name, input }: AsideTask) => tell({ result: asideWork[name](input as never) }));
tell({ isReady: true });

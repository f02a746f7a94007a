import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { connectMongo } from '@bindery/models';
import { describeFailure } from '@bindery/runtime';
import { unpackPages } from '../import/packedContent.ts';
import { prepareAddition } from '../import/prepareAddition.ts';
import type { TreeAnswer, TreeRequest } from './treeBuilder.ts';

// The code of the thread of treeBuilder.ts. It interleaves requests: while one waits for MongoDB, the next is
// hashed.

// When all processors are busy, the main thread takes precedence. Only Linux has thread priorities. A process
// that was started with a lower one (`nice`) may not raise it.
const { PRIORITY_BELOW_NORMAL: lower } = constants.priority;
if (process.platform === 'linux' && getPriority() < lower) setPriority(lower);
await connectMongo(workerData as { mongo: { uri: string } });
// Node queues messages that arrive before there is a listener.
parentPort?.on('message', (request: TreeRequest) => void serve(request));

async function serve({ id, base, added }: TreeRequest): Promise<void> {
  try {
    answer({ id, revision: await prepareAddition(base, { ...added, pages: unpackPages(added.pages) }) });
  } catch (error) {
    answer({ id, failure: describeFailure(error) });
  }
}

function answer(message: TreeAnswer): void {
  parentPort?.postMessage(message);
}

import { Worker, type TransferListItem } from 'node:worker_threads';

/**
 * Runs a script on a thread of its own, and ends the thread once it has sent its answer.
 *
 * @param options.memoryMb  heap of the thread
 * @param options.limitMs  time limit; without it, the thread has as long as it needs
 * @returns the one message that the script sends
 * @throws Error when the script fails, exceeds a limit, or ends without an answer
 */
export async function answerOfThread<Answer>(
  script: URL,
  {
    workerData,
    transferList = [],
    memoryMb,
    limitMs,
  }: { workerData: unknown; transferList?: TransferListItem[]; memoryMb: number; limitMs?: number },
): Promise<Answer> {
  const thread = new Worker(script, {
    // The thread must not inherit the Node options of this process.
    execArgv: [],
    workerData,
    transferList,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const timer = limitMs === undefined ? undefined : setTimeout(() => void thread.terminate(), limitMs);
  try {
    return await new Promise<Answer>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('The thread ended without an answer.')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

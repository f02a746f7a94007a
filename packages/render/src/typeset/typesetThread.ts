import { parentPort } from 'node:worker_threads';
import { formulaHtml } from './formula.ts';
import { highlight } from './highlight.ts';
import type { ThreadMessage, TypesetTask } from './typesetter.ts';

/** Runs on the thread of typesetter.ts: receives tasks one by one and sends their results. */
const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
parentPort?.on('message', (task: TypesetTask) => {
  if (task.kind === 'formula') tell({ result: formulaHtml(task.tex, task.display) });
  else void highlight(task.code, task.language).then((result) => tell({ result }));
});
tell({ isReady: true });

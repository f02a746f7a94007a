import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dropPreparedPages, openPages } from './pages.ts';

let threads: Worker[] = [];
const started = (thread: Worker) => threads.push(thread);
beforeEach(() => {
  threads = [];
  process.on('worker', started);
});
afterEach(async () => {
  process.off('worker', started);
  await dropPreparedPages();
});

const settings = {
  organization: 'o',
  pair: ['en', 'es'] as [string, string],
  engine: 'e 1',
  spaces: { source: 'a', result: 'b' },
  terms: [],
};

it('keeps the threads of one run only, also when several runs end at once', async () => {
  const { signal } = new AbortController();
  const runs = [openPages(settings, signal), openPages(settings, signal), openPages(settings, signal)];
  const cut = runs.flatMap((pages) =>
    ['One.\n', 'Two.\n'].map(async (text) => pages.cut({ file: Buffer.from(text), entry: { title: 'A' } })),
  );
  expect((await Promise.all(cut)).map((page) => page?.segments.length)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(threads).toHaveLength(6);
  await Promise.all(runs.map(async (pages) => pages.close()));
  expect(threads.filter(({ threadId }) => threadId !== -1)).toHaveLength(2);
});

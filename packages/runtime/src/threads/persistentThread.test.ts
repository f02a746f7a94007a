import { afterEach, describe, expect, it } from 'vitest';
import { createPersistentThread, type PersistentThread } from './persistentThread.ts';

type Request = 'count' | 'fail' | 'hang' | 'hang later' | 'fill';

const longMs = 60_000;
const opened: PersistentThread<Request, number>[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (thread) => thread.close()));
});

function open({ restMs }: { restMs?: number } = {}) {
  const thread = createPersistentThread<Request, number>(new URL('fixtures/testThread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    ...(restMs !== undefined && { restMs }),
  });
  opened.push(thread);
  return thread;
}

describe('a persistent thread', () => {
  it('answers one request after the other, and keeps its state', async () => {
    const thread = open();
    thread.start();
    const asked = [thread.ask('count', longMs), thread.ask('count', longMs), thread.ask('count', longMs)];
    expect(thread.waiting).toBe(3);
    expect(await Promise.all(asked)).toEqual([{ answer: 1 }, { answer: 2 }, { answer: 3 }]);
    expect(thread.waiting).toBe(0);
  });

  it.each([
    ['fails', 'fail', longMs],
    ['blocks its thread for longer than its limit', 'hang', 100],
    ['does not answer within its limit', 'hang later', 100],
    ['needs too much memory', 'fill', longMs],
  ] as const)('gives no answer to a request that %s, and answers the next ones', async (_, bad, limitMs) => {
    const thread = open();
    const asked = [
      thread.ask('count', longMs),
      thread.ask(bad, limitMs),
      thread.ask('count', longMs),
      thread.ask('count', longMs),
    ];
    // The second thread counts from one.
    expect(await Promise.all(asked)).toEqual([{ answer: 1 }, undefined, { answer: 1 }, { answer: 2 }]);
  });

  it('reports each time that it cannot start', async () => {
    const script = new URL('fixtures/missing.ts', import.meta.url);
    const thread = createPersistentThread(script, { resourceLimits: {} });
    const asked = [thread.ask('count', longMs), thread.ask('count', longMs)];
    for (const answer of asked) await expect(answer).rejects.toThrow('A thread could not start.');
    await thread.close();
  });

  it('ends after a time without requests, and starts again with the next one', async () => {
    const thread = open({ restMs: 0 });
    expect(await thread.ask('count', longMs)).toEqual({ answer: 1 });
    // A thread that has ended has lost its count.
    await expect.poll(async () => thread.ask('count', longMs), { timeout: longMs }).toEqual({ answer: 1 });
  });

  it('does not end while it works on a request', async () => {
    const thread = open({ restMs: 0 });
    expect(await thread.ask('hang later', 200)).toBeUndefined();
    expect(await thread.ask('count', longMs)).toEqual({ answer: 1 });
  });

  it('gives no answer once it is closed', async () => {
    const thread = open();
    const asked = [thread.ask('hang later', longMs), thread.ask('count', longMs)];
    await thread.close();
    expect(await Promise.all(asked)).toEqual([undefined, undefined]);
    expect(await thread.ask('count', longMs)).toBeUndefined();
  });
});

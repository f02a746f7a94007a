import { createTurns } from '@bindery/runtime';

const takeTurn = createTurns(1);
const waiting = new Set<string>();
/** Further answers are made when somebody has to wait for them. */
const maxWaiting = 500;
/** An answer that waited longer may be out of date by now. */
const maxWaitMs = 1_000;

/** Makes answers for nobody who waits: one after the other, so that readers of others go first. */
export async function makeSoon(key: string, make: () => Promise<unknown>): Promise<void> {
  if (waiting.has(key) || waiting.size >= maxWaiting) return;
  waiting.add(key);
  const sinceMs = performance.now();
  const turn = await takeTurn();
  try {
    if (performance.now() - sinceMs < maxWaitMs) await make();
  } finally {
    waiting.delete(key);
    turn.end();
  }
}

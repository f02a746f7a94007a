import { parentPort, workerData } from 'node:worker_threads';
import { attacksOn, type Attack } from './attackTexts.ts';
import type { Expression } from './collectExpressions.ts';

// The code of the thread of slowExpressions.ts: unlike a function, a thread can be stopped while it tries an
// expression.

const short = 8_000;
const long = 32_000;
/** For a short text; ordinary expressions take a few microseconds. */
const suspiciousMs = 0.5;
/** For a long text. Below it, compilation makes the ratio of two times unreliable. */
const surelyMs = 30;
/** A linear expression has 4, a quadratic one 16. */
const suspiciousRatio = { surely: 7, below: 9 };

const { expressions, from } = workerData as { expressions: Expression[]; from: number };
for (const [index, expression] of expressions.entries()) {
  if (index < from) continue;
  parentPort?.postMessage({ index });
  const attack = attacksOn(expression).find((each) => isSlow(expression, each));
  if (attack) parentPort?.postMessage({ index, attack });
}

/**
 * For four times as much text, a linear expression takes four times as long, a quadratic one sixteen times.
 */
function isSlow(expression: Expression, attack: Attack): boolean {
  if (shortestMs(expression, attack, { length: short, runs: 1 }) < suspiciousMs) return false;
  // Other processes make one measurement unreliable, and hardly all of them.
  return [1, 2, 3].every(() => isSlowNow(expression, attack));
}

function isSlowNow(expression: Expression, attack: Attack): boolean {
  const before = shortestMs(expression, attack, { length: short, runs: 8 });
  const after = shortestMs(expression, attack, { length: long, runs: 4 });
  const { surely, below } = suspiciousRatio;
  return before > suspiciousMs && after > (after > surelyMs ? surely : below) * before;
}

/** By the clock: some systems count the processor time of a thread in steps of 4 ms. */
function shortestMs(
  { source, flags }: Expression,
  { lead, word, tail }: Attack,
  { length, runs }: { length: number; runs: number },
): number {
  const expression = new RegExp(source, flags);
  const text = lead + word.repeat(Math.ceil(length / word.length)) + tail;
  let shortest = Infinity;
  for (let run = 0; run < runs; run += 1) {
    expression.lastIndex = 0;
    const beginMs = performance.now();
    if (expression.global) text.match(expression);
    else expression.exec(text);
    shortest = Math.min(shortest, performance.now() - beginMs);
  }
  return shortest;
}

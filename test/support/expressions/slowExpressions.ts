import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { analyse } from 'scslre';
import { bound } from '../machine.ts';
import type { Attack } from './attackTexts.ts';
import type { Expression } from './collectExpressions.ts';

/** The time limit for one expression on an idle machine; a linear one needs less for the longest text. */
const maxMs = 8_000;

type Report = { index: number; attack?: Attack };

/**
 * Finds expressions that take more than linear time for some text, in two ways: an analysis of their
 * structure finds two quantifiers that share a character, and trials with repeated texts find partial matches
 * that never end.
 */
export async function slowExpressions(expressions: readonly Expression[]): Promise<Map<Expression, string>> {
  const slow = new Map<Expression, string>();
  for (const expression of expressions) {
    const [report] = analyse({ source: expression.source, flags: expression.flags }, {}).reports;
    if (report) slow.set(expression, `many of ${JSON.stringify(report.character.pick)}`);
  }
  const rest = expressions.filter((expression) => !slow.has(expression));
  for (let from = 0; from < rest.length;) from = await measure(rest, from, slow);
  return slow;
}

/** @returns the index to continue with, after the last expression or after one that did not end */
async function measure(
  expressions: readonly Expression[],
  from: number,
  slow: Map<Expression, string>,
): Promise<number> {
  const thread = new Worker(new URL('./measureThread.ts', import.meta.url), {
    execArgv: [],
    workerData: { expressions, from },
  });
  let last = from - 1;
  let isStuck = false;
  const giveUp = () => {
    isStuck = true;
    void thread.terminate();
  };
  let timer = setTimeout(giveUp, bound(maxMs));
  thread.on('message', ({ index, attack }: Report) => {
    last = index;
    if (attack) slow.set(expressions[index] as Expression, `${JSON.stringify(attack.word)} again and again`);
    clearTimeout(timer);
    timer = setTimeout(giveUp, bound(maxMs));
  });
  await once(thread, 'exit');
  clearTimeout(timer);
  if (!isStuck) return expressions.length;
  slow.set(expressions[last] as Expression, 'something that it does not end with');
  return last + 1;
}

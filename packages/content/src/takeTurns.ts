import { setImmediate } from 'node:timers/promises';

/** How long one piece of work may keep all others of the process waiting. */
const turnMs = 10;

/** For work of many steps: the function that it gives is awaited after each, and lets others in between when it is their turn. */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < turnMs) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}

import { setImmediate } from 'node:timers/promises';

/** Maximum time for which one task may block all others of the process. */
const turnMs = 10;

/**
 * Returns a function to be awaited after each step of a long task; it yields to other work when the time is
 * up.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < turnMs) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}

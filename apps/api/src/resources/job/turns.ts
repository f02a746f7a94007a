/**
 * The number of listeners that get parts of an event at once. Without a limit, a thousand listeners on as
 * many jobs would have their parts in memory together.
 */
const servedAtOnce = 8;

let freeTurns = servedAtOnce;
const waiting: (() => void)[] = [];

export type Turn = {
  /** Lets the next listener proceed; does nothing when called again. */
  pass: () => void;
  isPassed: () => boolean;
};

/**
 * Waits for a turn, in the order of the calls.
 *
 * A turn covers several parts: objects of listeners that wait grow old, and old garbage stays in memory until
 * the next full collection.
 */
export async function takeTurn(): Promise<Turn> {
  if (freeTurns > 0) freeTurns -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  let isPassed = false;
  const pass = () => {
    if (isPassed) return;
    isPassed = true;
    const next = waiting.shift();
    if (next) next();
    else freeTurns += 1;
  };
  return { pass, isPassed: () => isPassed };
}

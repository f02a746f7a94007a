/** Runs the look-up of a key, or shares the next one. */
export type ShareLookUp = <Result>(key: string, lookUp: () => Promise<Result>) => Promise<Result>;

/** `next` starts when `current` has ended, or hangs. */
type Running = { current: Promise<unknown>; next?: Promise<unknown> };

/** One lost connection must not stop all readers of a site until the driver gives it up. */
const patienceMs = 500;

/**
 * Lets those who look up the same key at the same time share a query, as fresh as one of their own: each gets
 * what was read after it asked. While a look-up runs, those who come wait for the next one together: until it
 * has ended, but at most half a second.
 */
export function createSharedLookUps(): ShareLookUp {
  const running = new Map<string, Running>();

  const start = async (key: string, lookUp: () => Promise<unknown>): Promise<unknown> => {
    const current = lookUp();
    const entry: Running = { current };
    running.set(key, entry);
    try {
      return await current;
    } finally {
      if (!entry.next) running.delete(key);
    }
  };

  return async <Result>(key: string, lookUp: () => Promise<Result>) => {
    const entry = running.get(key);
    if (!entry) return start(key, lookUp) as Promise<Result>;
    entry.next ??= endOf(entry.current).then(async () => start(key, lookUp));
    return entry.next as Promise<Result>;
  };
}

/** Resolves when a look-up has ended, with a result or an error, or takes too long. */
async function endOf(lookUp: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  lookUp.then(
    () => resolve(),
    () => resolve(),
  );
  await promise;
  clearTimeout(timer);
}

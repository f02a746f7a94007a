/** One part that a process needs: throws when it is not usable. It may return a note, for a part that works with less. */
export type ReadyCheck = () => Promise<string | void>;

/** What `/readyz` tells: each check as `ok`, `failed`, `timeout` or its note, without the reason, which may hold an address. */
export type Readiness = { isReady: boolean; status: 'ready' | 'not ready'; checks: Record<string, string> };

/** @returns a function that runs all checks; what many callers ask at once is checked once */
export function createReadiness(
  checks: Record<string, ReadyCheck>,
  { timeoutMs = 2_000 }: { timeoutMs?: number } = {},
): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined;
  const run = async (): Promise<Readiness> => {
    const outcomes = await Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => [name, await outcome(check, timeoutMs)]),
    );
    const isReady = outcomes.every(([, text]) => text !== 'failed' && text !== 'timeout');
    return { isReady, status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(outcomes) };
  };
  return () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}

async function outcome(check: ReadyCheck, timeoutMs: number): Promise<string> {
  const { promise: timeout, resolve: endTimeout } = Promise.withResolvers<string>();
  const timer = setTimeout(() => endTimeout('timeout'), timeoutMs);
  const checked = check().then(
    (note) => note ?? 'ok',
    () => 'failed',
  );
  const text = await Promise.race([checked, timeout]);
  clearTimeout(timer);
  return text;
}

/** One part that a process needs: throws when it is not usable. It may return a note, for a part that works with less. */
export type ReadyCheck = () => Promise<string | void>;

/** The body of `/readyz`: each check as `ok`, `failed`, `timeout` or its note, without the reason, which may hold an address. */
export type Readiness = {
  status: 'ready' | 'degraded' | 'not ready';
  checks: Record<string, string>;
  workers?: Record<string, string>;
};

type ReadinessOptions = {
  /** How each worker app is: `ok`, or a sentence for everybody. One that is not `ok` makes the process `degraded`, which is still of use. */
  workers?: () => Promise<Record<string, string>>;
  /** How long one check may take, in milliseconds. */
  timeoutMs?: number;
};

/** @returns a function that runs all checks; what many callers ask at once is checked once */
export function createReadiness(checks: Record<string, ReadyCheck>, options: ReadinessOptions = {}): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined;
  return () =>
    (running ??= run(checks, options).finally(() => {
      running = undefined;
    }));
}

async function run(checks: Record<string, ReadyCheck>, { workers, timeoutMs = 2_000 }: ReadinessOptions): Promise<Readiness> {
  const [outcomes, workerOutcome] = await Promise.all([
    Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await outcome(check, timeoutMs)] as const)),
    // Where MongoDB does not answer, nothing is known of the workers.
    workers && outcome(workers, timeoutMs),
  ]);
  const isReady = outcomes.every(([, text]) => text !== 'failed' && text !== 'timeout');
  const states = typeof workerOutcome === 'object' ? workerOutcome : undefined;
  const areWorking = Object.values(states ?? {}).every((state) => state === 'ok');
  return {
    status: !isReady ? 'not ready' : areWorking ? 'ready' : 'degraded',
    checks: Object.fromEntries(outcomes),
    ...(states && { workers: states }),
  };
}

async function outcome<T>(check: () => Promise<T | void>, timeoutMs: number): Promise<T | 'ok' | 'failed' | 'timeout'> {
  const { promise: timeout, resolve: endTimeout } = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(() => endTimeout('timeout'), timeoutMs);
  const checked = check().then(
    (note) => note ?? 'ok',
    () => 'failed' as const,
  );
  const result = await Promise.race([checked, timeout]);
  clearTimeout(timer);
  return result;
}

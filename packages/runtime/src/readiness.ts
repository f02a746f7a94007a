/** Checks one dependency of a process: throws when it is unusable. May return a note about a degraded one. */
export type ReadyCheck = () => Promise<string | void>;

/**
 * The body of `/readyz`: each check as `ok`, `failed`, `timeout` or its note, without the reason, which may
 * contain an address.
 */
export type Readiness = {
  status: 'ready' | 'degraded' | 'not ready';
  checks: Record<string, string>;
  workers?: Record<string, string>;
};

type ReadinessOptions = {
  /**
   * The state of each worker app: `ok`, or a sentence for every reader. Any other state than `ok` makes the
   * process `degraded`, which still works.
   */
  workers?: () => Promise<Record<string, string>>;
  /** How long one check may take, in milliseconds. */
  timeoutMs?: number;
};

/**
 * Makes the failure of a check a note: the process is ready without that dependency.
 *
 * @param timeoutMs  how long the dependency may be silent; less than the check may take
 */
export function noteUnless(check: () => Promise<void>, note: string, timeoutMs = 1_000): ReadyCheck {
  return async () => ((await outcome(check, timeoutMs)) === 'ok' ? undefined : note);
}

/** @returns a function that runs all checks; concurrent callers share one run */
export function createReadiness(
  checks: Record<string, ReadyCheck>,
  options: ReadinessOptions = {},
): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined;
  return () =>
    (running ??= run(checks, options).finally(() => {
      running = undefined;
    }));
}

async function run(
  checks: Record<string, ReadyCheck>,
  { workers, timeoutMs = 2_000 }: ReadinessOptions,
): Promise<Readiness> {
  const [outcomes, workerOutcome] = await Promise.all([
    Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await outcome(check, timeoutMs)] as const),
    ),
    // Without MongoDB the state of the workers is unknown.
    workers && outcome(workers, timeoutMs),
  ]);
  const isReady = outcomes.every(([, text]) => text !== 'failed' && text !== 'timeout');
  const states = typeof workerOutcome === 'object' ? workerOutcome : undefined;
  const areWorking = Object.values(states ?? {}).every((state) => state === 'ok');
  const readyStatus = areWorking ? 'ready' : 'degraded';
  return {
    status: isReady ? readyStatus : 'not ready',
    checks: Object.fromEntries(outcomes),
    workers: states,
  };
}

async function outcome<T>(
  check: () => Promise<T | void>,
  timeoutMs: number,
): Promise<T | 'ok' | 'failed' | 'timeout'> {
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

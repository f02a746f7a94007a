import { databaseNow, FailingApp, isUnexpired, WorkerEntry, type FailingAppRecord } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';

/** The queue that each worker app serves. */
export const workerQueues: Record<string, QueueName> = {
  'worker-git': 'git',
  'worker-maintenance': 'maintenance',
  'worker-openapi': 'openapi',
  'worker-pdf': 'pdf',
  'worker-translation': 'translation',
};

/**
 * Returns the state of each worker app: `ok`, or a sentence fit for every reader.
 *
 * With several processes of an app, one may fail while others run.
 */
export async function workerStates(): Promise<Record<string, string>> {
  const [live, failing] = await Promise.all([
    WorkerEntry.find(isUnexpired, { app: 1 }).lean<{ app: string }[]>(),
    FailingApp.find(isUnexpired).lean<FailingAppRecord[]>(),
  ]);
  const states = Object.keys(workerQueues).map((app) => {
    const running = live.filter((entry) => entry.app === app).length;
    const failure = failing.find(({ _id }) => _id === app);
    if (!failure) return [app, running > 0 ? 'ok' : 'no worker is running'];
    const text = `${failingOr(failure)}: ${describeFailure(failure)}`;
    return [app, running > 0 ? `${running} running, another one ${text}` : text];
  });
  return Object.fromEntries(states) as Record<string, string>;
}

/** Finds the app of a queue if its supervisor reports that it fails. */
export async function findFailingWorker(queue: string): Promise<FailingAppRecord | undefined> {
  const apps = Object.keys(workerQueues).filter((app) => workerQueues[app] === queue);
  return (
    (await FailingApp.findOne({ _id: { $in: apps }, ...isUnexpired }).lean<FailingAppRecord>()) ?? undefined
  );
}

/** An app that waits for its first start has not failed. */
export function failingOr({ deaths }: FailingAppRecord): string {
  return deaths === 0 ? 'not started yet' : 'failing';
}

/**
 * Describes a failure, as in `exit code 3, 7 deaths in a row, next start in 12 s`. An app without
 * deaths has only a reason.
 */
export function describeFailure({ reason, deaths, restartAt }: FailingAppRecord): string {
  if (deaths === 0) return reason;
  const waitMs = restartAt.getTime() - databaseNow().getTime();
  const next = waitMs > 0 ? `next start in ${Math.ceil(waitMs / 1_000)} s` : 'being started';
  return `${reason}, ${deaths === 1 ? '1 death' : `${deaths} deaths in a row`}, ${next}`;
}

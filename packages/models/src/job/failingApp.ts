import { hostname } from 'node:os';
import mongoose, { Schema } from 'mongoose';
import { WorkerEntry } from './job.ts';

/**
 * An app whose process died and has not restarted, as reported by its supervisor, because an API process
 * cannot see that. Deleted when the app runs again; expires when the supervisor ends too.
 */
export type FailingAppRecord = {
  /** Name of the app: `worker-git`. */
  _id: string;
  /**
   * Shown to every user: `exit code 3`, `SIGKILL`, `not ready within 60 s`; never an address, a path or a log
   * line.
   */
  reason: string;
  /** The number of deaths in a row; 0 for an app that waits for its first start. */
  deaths: number;
  /** In the past during the restart. */
  restartAt: Date;
  expireAt: Date;
};

const schema = new Schema<FailingAppRecord>(
  {
    _id: String,
    reason: { type: String, required: true },
    deaths: { type: Number, required: true },
    restartAt: { type: Date, required: true },
    expireAt: { type: Date, required: true },
  },
  { collection: 'failingApps', versionKey: false },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const FailingApp = mongoose.model('FailingApp', schema);

/** A start may take a minute; after this time the app is ready or has died again. */
const startMs = 90_000;

/**
 * Records the death of an app's process, and removes it from the register of live workers.
 *
 * @param pid  process that died, on this machine
 * @param pauseMs  time until the restart
 */
export async function noteFailingApp(
  app: string,
  {
    reason,
    deaths,
    pauseMs,
    pid,
  }: { reason: string; deaths: number; pauseMs: number; pid: number | undefined },
): Promise<void> {
  const after = (ms: number) => ({ $add: ['$$NOW', ms] });
  const noted = {
    reason: { $literal: reason },
    deaths,
    restartAt: after(pauseMs),
    expireAt: after(pauseMs + startMs),
  };
  await Promise.all([
    FailingApp.updateOne({ _id: app }, [{ $set: noted }], { upsert: true, updatePipeline: true }),
    ...(pid === undefined ? [] : [WorkerEntry.deleteMany({ app, host: hostname(), pid })]),
  ]);
}

/** Deletes the record of an app that runs again, or that should not run any more. */
export async function forgetFailingApp(app: string): Promise<void> {
  await FailingApp.deleteOne({ _id: app });
}

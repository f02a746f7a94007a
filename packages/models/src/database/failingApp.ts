import { hostname } from 'node:os';
import mongoose, { Schema } from 'mongoose';
import { WorkerEntry } from '../job/job.ts';

/**
 * An app whose process died and does not run again yet, as whoever supervises it tells: an API process cannot see that. Gone when it runs again,
 * and by itself when the supervisor has ended too.
 */
export type FailingAppRecord = {
  /** Name of the app: `worker-git`. */
  _id: string;
  /** Shown to everybody: `exit code 3`, `SIGKILL`, `not ready within 60 s`; never an address, a path or a line of its log. */
  reason: string;
  /** In a row. */
  deaths: number;
  /** In the past while it is being started. */
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

/** A start may take a minute; by then it is ready or has died again. */
const startMs = 90_000;

/**
 * Notes the death of an app's process, and takes that process out of the register of live workers.
 *
 * @param pid      process that died, on this machine
 * @param pauseMs  how long until it is started again
 */
export async function noteFailingApp(
  app: string,
  { reason, deaths, pauseMs, pid }: { reason: string; deaths: number; pauseMs: number; pid: number | undefined },
): Promise<void> {
  const after = (ms: number) => ({ $add: ['$$NOW', ms] });
  const noted = { reason: { $literal: reason }, deaths, restartAt: after(pauseMs), expireAt: after(pauseMs + startMs) };
  await Promise.all([
    FailingApp.updateOne({ _id: app }, [{ $set: noted }], { upsert: true, updatePipeline: true }),
    ...(pid === undefined ? [] : [WorkerEntry.deleteMany({ app, host: hostname(), pid })]),
  ]);
}

/** The app runs again, or is not to run any more. */
export async function forgetFailingApp(app: string): Promise<void> {
  await FailingApp.deleteOne({ _id: app });
}

import { ApiError } from '@bindery/contract';
import type { Platform } from '../../platform.ts';
import { findRefusals, type Follower } from './jobAccess.ts';

/** How often the access of listeners is checked, and how old a check may be when an event is sent. */
const checkEveryMs = 2_000;
const maxAgeMs = 4_000;
const pingMs = 15_000;
/**
 * The share of a process's connections that listeners may take, and the part of this that the jobs of one
 * organization may take.
 */
const shareOfConnections = 0.75;
const shareOfOrganization = 0.8;

/** An open request that waits for changes of a job. */
export type Listener = {
  /** Aborts, with an ApiError as its reason, when the listener may no longer see the job. */
  readonly ended: AbortSignal;
  /**
   * Checks the listener's access, unless it was checked a moment ago. @throws ApiError when the listener may
   * no longer see the job
   */
  requireAccess(): Promise<void>;
  /** Whether another listener of this process follows the same job. */
  isAccompanied(): boolean;
  leave(): void;
};

type Entry = {
  follower: Follower;
  ping: (() => void) | undefined;
  ending: AbortController;
  checkedMs: number;
};

const entries = new Set<Entry>();
/** The number of listeners of each job. */
const listenersOf = new Map<string, number>();
let timers: NodeJS.Timeout[] = [];
let checking: Promise<void> | undefined;

/**
 * Registers a listener of this process until it leaves. Until then its access is checked every two seconds,
 * together with that of all others, and `ping` is called every 15 seconds.
 *
 * @throws rate_limited when the organization of the job has too many listeners, unavailable when this process
 *   has
 */
export function enterListener(
  { platform, ...follower }: Follower & { platform: Platform },
  ping?: () => void,
): Listener {
  refuseTooMany(follower, platform.config.api);
  const entry: Entry = { follower, ping, ending: new AbortController(), checkedMs: performance.now() };
  entries.add(entry);
  const count = (change: 1 | -1) => {
    const number = (listenersOf.get(follower.job) ?? 0) + change;
    if (number > 0) listenersOf.set(follower.job, number);
    else listenersOf.delete(follower.job);
  };
  count(1);
  if (timers.length === 0) timers = [setInterval(checkQuietly, checkEveryMs), setInterval(pingAll, pingMs)];
  return {
    ended: entry.ending.signal,
    requireAccess: async () => {
      // A running check may have started before this listener was registered.
      while (!entry.ending.signal.aborted && performance.now() - entry.checkedMs > maxAgeMs) await checkAll();
      entry.ending.signal.throwIfAborted();
    },
    isAccompanied: () => (listenersOf.get(follower.job) ?? 0) > 1,
    leave: () => {
      if (entries.delete(entry)) count(-1);
      if (entries.size > 0) return;
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
}

function refuseTooMany({ organization }: Follower, { maxConnections }: Platform['config']['api']): void {
  const most = Math.max(1, Math.floor(maxConnections * shareOfConnections));
  const mostOfOne = Math.max(1, Math.floor(most * shareOfOrganization));
  const headers = { 'Retry-After': '5' };
  if (entries.size >= most) {
    throw new ApiError('unavailable', `This server follows jobs for at most ${most} requests at once.`, {
      action: 'Try again in a few seconds, or ask for the job without waiting.',
      headers,
    });
  }
  let ofOne = 0;
  for (const { follower } of entries) if (follower.organization === organization) ofOne += 1;
  if (ofOne >= mostOfOne) {
    throw new ApiError(
      'rate_limited',
      `This server follows jobs of one organization for at most ${mostOfOne} requests at once.`,
      {
        action: 'End some of them first.',
        headers,
      },
    );
  }
}

/** Checks the access of all listeners. Calls during a check share it. */
function checkAll(): Promise<void> {
  checking ??= check([...entries]).finally(() => {
    checking = undefined;
  });
  return checking;
}

async function check(all: readonly Entry[]): Promise<void> {
  const askedMs = performance.now();
  const refusals = await findRefusals(all.map(({ follower }) => follower));
  for (const [index, entry] of all.entries()) {
    const refusal = refusals[index];
    if (refusal) entry.ending.abort(refusal);
    else entry.checkedMs = askedMs;
  }
}

function checkQuietly(): void {
  // MongoDB is unavailable: no event is sent before a check succeeds again.
  checkAll().catch(() => {});
}

function pingAll(): void {
  for (const { ping } of entries) ping?.();
}

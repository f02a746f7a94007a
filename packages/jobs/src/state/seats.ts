import { randomInt } from 'node:crypto';
import { jobCollection } from '@bindery/models';
import type { Pool } from '../queue/slots.ts';
import type { Claim } from './claims.ts';

/**
 * With several organizations, each may use all slots of a queue but one, so that another organization finds a
 * free slot however long jobs take. Each running job of an organization has its own seat, and a unique index
 * on seats decides between workers that claim at the same moment.
 */

/** The taken seats of an organization in all processes, and its jobs that run beyond a pool. */
type Taken = { seats: ReadonlySet<string>; beyond: ReadonlyMap<string, number> };

/** Not the id of the process: all replicas of a container have the same one. */
const preference = randomInt(2 ** 31);

const nothingTaken: Taken = { seats: new Set(), beyond: new Map() };

/** The seats known to be taken, by pool name and organization. */
export type Seats = {
  /** Returns a free seat of each pool, as far as this process knows; undefined when a pool has none. */
  choose(organization: string, pools: readonly Pool[], taken: Taken): string[] | undefined;
  /** Marks seats as taken until `leave`. */
  take(organization: string, seats: readonly string[]): void;
  leave(organization: string, seats: readonly string[]): void;
  /**
   * Waits up to `timeoutMs` until a job of the organization in this process leaves its seats. Does not wait
   * while another job of the organization does, or just after a wait failed: a waiting job holds a slot that
   * another organization could use.
   *
   * @returns whether a job has left its seats
   */
  whenLeft(organization: string, timeoutMs: number): Promise<boolean>;
};

export function createSeats(): Seats {
  const held = new Map<string, Set<string>>();
  const waiting = new Map<string, (hasLeft: boolean) => void>();
  const vainUntilMs = new Map<string, number>();
  return {
    choose(organization, pools, taken) {
      const own = held.get(organization);
      const chosen = pools.map(({ name, size }) => {
        const free = seatsOf(name, size).filter((seat) => !own?.has(seat) && !taken.seats.has(seat));
        // Jobs beyond the pool keep the last ones free: the others are the same for all processes, of which
        // the unique index lets only one take each.
        const usable = free.length - (taken.beyond.get(name) ?? 0);
        // Most processes take another one, so that two seldom choose the same seat.
        return usable > 0 ? free[preference % usable] : undefined;
      });
      return chosen.includes(undefined) ? undefined : (chosen as string[]);
    },
    take(organization, seats) {
      const own = held.get(organization) ?? new Set();
      for (const seat of seats) own.add(seat);
      held.set(organization, own);
    },
    leave(organization, seats) {
      const own = held.get(organization);
      for (const seat of seats) own?.delete(seat);
      if (own?.size === 0) held.delete(organization);
      vainUntilMs.delete(organization);
      waiting.get(organization)?.(true);
    },
    async whenLeft(organization, timeoutMs) {
      if (waiting.has(organization) || performance.now() < (vainUntilMs.get(organization) ?? 0)) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.set(organization, resolve);
      const giveUp = () => {
        // Earlier failed waits are outdated.
        if (vainUntilMs.size >= 1_000) vainUntilMs.clear();
        vainUntilMs.set(organization, performance.now() + timeoutMs);
        resolve(false);
      };
      const timer = setTimeout(giveUp, timeoutMs);
      const hasLeft = await promise;
      clearTimeout(timer);
      waiting.delete(organization);
      return hasLeft;
    },
  };
}

function seatsOf(name: string, size: number): string[] {
  return Array.from({ length: size }, (_, index) => `${name}:${index}`);
}

/**
 * The longest wait of a message for a seat. Then it is put back, so that messages of other organizations come
 * up.
 */
const patienceMs = 250;
const maxAttempts = 3;

/**
 * Claims a job with seats of its organization, and waits briefly for one to become free.
 *
 * @param claim  writes the claim with these seats
 * @returns the last claim's answer, with a function that leaves the seats when the run has ended; `refused:
 *   'seat'` when no seat is free
 */
export async function claimSeated(
  { organization, pools, seats }: { organization: string; pools: readonly Pool[]; seats: Seats },
  claim: (chosen: readonly string[]) => Promise<Claim>,
): Promise<{ claim: Claim; leave: () => void }> {
  const untilMs = performance.now() + patienceMs;
  // Jobs that started before a limit was lowered hold no seat of it, so those of a kind are counted first.
  const look = async () => (pools.some(({ kind }) => kind) ? findTaken(organization, pools) : nothingTaken);
  let taken = await look();
  for (let attempts = 0; attempts < maxAttempts;) {
    const chosen = seats.choose(organization, pools, taken);
    if (chosen) {
      const leave = () => seats.leave(organization, chosen);
      seats.take(organization, chosen);
      const answer = await claim(chosen).catch((error: unknown) => {
        leave();
        throw error;
      });
      if ('job' in answer) return { claim: answer, leave };
      leave();
      if (answer.refused !== 'seat') return { claim: answer, leave: () => {} };
      // A job in another process has one of these seats.
      attempts += 1;
      taken = await findTaken(organization, pools);
    } else {
      if (!(await seats.whenLeft(organization, Math.max(0, untilMs - performance.now())))) break;
      taken = await look();
    }
  }
  return { claim: { refused: 'seat' }, leave: () => {} };
}

/** Whether a job of the organization would find its seats now. */
export async function hasFreeSeats({
  organization,
  pools,
  seats,
}: {
  organization: string;
  pools: readonly Pool[];
  seats: Seats;
}): Promise<boolean> {
  return (
    pools.length === 0 ||
    seats.choose(organization, pools, await findTaken(organization, pools)) !== undefined
  );
}

/** Reads what an organization's running jobs take in all processes; costs a key for each of these. */
async function findTaken(organization: string, pools: readonly Pool[]): Promise<Taken> {
  const jobs = await jobCollection()
    .find({ organization, state: 'running' }, { projection: { kind: 1, seats: 1 } })
    .toArray();
  const beyond = pools
    .filter(({ kind }) => kind !== undefined)
    .map(({ name, size, kind }) => {
      const inside = new Set(seatsOf(name, size));
      const outside = jobs.filter(
        (job) => job.kind === kind && !(job.seats ?? []).some((seat) => inside.has(seat)),
      );
      return [name, outside.length] as const;
    });
  return { seats: new Set(jobs.flatMap(({ seats }) => seats ?? [])), beyond: new Map(beyond) };
}

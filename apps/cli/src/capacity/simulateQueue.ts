import { randomNumbers } from './randomNumbers.ts';

/** The load and the slots of the workers of one app. */
export type QueueLoad = {
  /** Jobs that run at once, over all processes. */
  slots: number;
  /** Slots that one organization leaves free while others wait (`BINDERY_SLOTS_FOR_OTHERS`). */
  slotsForOthers: number;
  jobsPerSecond: number;
  /** How long a job of each kind holds its slot, and the share of the jobs that are of this kind. */
  kinds: readonly { share: number; seconds: number }[];
  organizations: number;
  /** How much the jobs of a kind differ: standard deviation by mean, 1 like memoryless ones; 0 for equal. */
  variation: number;
};

/** Seconds from the acceptance of a job to its start. */
export type QueueWaits = { mean: number; p50: number; p99: number };

type Waiting = { at: number; seconds: number };
type Party = { running: number; waiting: Waiting[]; first: number };

/**
 * Simulates the queue of an app: jobs arrive at random (Poisson), the k-th largest organization starts 1/k as
 * many as the largest one (Zipf), and how long jobs take is lognormal. A free slot goes to the waiting
 * organization that runs the fewest jobs, as `packages/jobs` decides it.
 *
 * Lanes are left out: jobs of one space also wait for each other, however many slots there are.
 *
 * @param jobs  how many arrive; the first tenth is not counted, because the queue was empty before
 */
export function simulateQueue(load: QueueLoad, { jobs, seed }: { jobs: number; seed: number }): QueueWaits {
  const random = randomNumbers(seed);
  const partyOf = zipf(load.organizations, random);
  const secondsOf = lognormal(load, random);
  const parties = new Map<number, Party>();
  const waitingParties = new Set<Party>();
  const ends = new EndTimes();
  const waits: number[] = [];
  let free = load.slots;
  let now = 0;

  const start = (party: Party): void => {
    const { at, seconds } = party.waiting[party.first++]!;
    if (party.first === party.waiting.length) {
      waitingParties.delete(party);
      party.waiting = [];
      party.first = 0;
    }
    party.running += 1;
    free -= 1;
    ends.add({ at: now + seconds, party });
    waits.push(now - at);
  };
  const fill = (): void => {
    while (free > 0) {
      const next = chooseParty(waitingParties, load);
      if (!next) return;
      start(next);
    }
  };

  for (let arrived = 0, at = 0; arrived < jobs; arrived += 1) {
    at += -Math.log(1 - random()) / load.jobsPerSecond;
    for (let end = ends.takeUntil(at); end; end = ends.takeUntil(at)) {
      now = end.at;
      end.party.running -= 1;
      free += 1;
      fill();
    }
    now = at;
    const organization = partyOf();
    let party = parties.get(organization);
    if (!party) {
      party = { running: 0, waiting: [], first: 0 };
      parties.set(organization, party);
    }
    party.waiting.push({ at, seconds: secondsOf() });
    waitingParties.add(party);
    fill();
  }
  const sorted = waits.slice(Math.floor(waits.length / 10)).toSorted((a, b) => a - b);
  return {
    mean: sorted.reduce((sum, wait) => sum + wait, 0) / sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
  };
}

/** The organization that runs the fewest jobs, and of these the one that waits longest. */
function chooseParty(waiting: ReadonlySet<Party>, { slots, slotsForOthers }: QueueLoad): Party | undefined {
  const most = waiting.size > 1 ? Math.max(1, slots - slotsForOthers) : slots;
  let chosen: Party | undefined;
  for (const party of waiting)
    if (party.running < most && (!chosen || party.running < chosen.running)) chosen = party;
  return chosen;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Picks an organization, numbered from 1, the largest. */
function zipf(organizations: number, random: () => number): () => number {
  const sums: number[] = [];
  for (let rank = 1, sum = 0; rank <= organizations; rank += 1) sums.push((sum += 1 / rank));
  const total = sums.at(-1) ?? 1;
  return () => {
    const wanted = random() * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** Picks a kind by its share, and how long its job takes. */
function lognormal({ kinds, variation }: QueueLoad, random: () => number): () => number {
  const squared = Math.log(1 + variation ** 2);
  return () => {
    let left = random();
    const { seconds } = kinds.find(({ share }) => (left -= share) < 0) ?? kinds.at(-1)!;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return seconds * Math.exp(Math.sqrt(squared) * normal - squared / 2);
  };
}

type End = { at: number; party: Party };

/** Running jobs by their end: a binary heap. */
class EndTimes {
  readonly #heap: End[] = [];

  add(end: End): void {
    const heap = this.#heap;
    let index = heap.push(end) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (heap[parent]!.at <= end.at) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = end;
  }

  /** Takes the next end up to a time. */
  takeUntil(at: number): End | undefined {
    const [first] = this.#heap;
    if (!first || first.at > at) return undefined;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(end: End): void {
    const heap = this.#heap;
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const child = left + 1 < heap.length && heap[left + 1]!.at < heap[left]!.at ? left + 1 : left;
      if (child >= heap.length || heap[child]!.at >= end.at) {
        heap[index] = end;
        return;
      }
      heap[index] = heap[child]!;
      index = child;
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { FaultLab } from '../processes/faultLab.ts';
import type { SeededRandom } from '../seededRandom.ts';
import type { OwnMongo } from '../stores/ownMongo.ts';
import type { OwnRedis } from '../stores/ownRedis.ts';
import type { Crew } from './crew.ts';

type Stores = { mongo: OwnMongo; redis: OwnRedis };

/** Faults by name; each one ends, and what it ended runs again, before the next one begins. */
type Faults = Record<string, () => Promise<void>>;

function faultsOf(lab: FaultLab, { crew, stores, random }: FaultsOptions): Faults {
  const workers = () => crew.places.filter(({ name }) => name !== 'api');
  const end = async (place: Crew['places'][number], signal: 'SIGKILL' | 'SIGTERM') => {
    place.app.signal(signal);
    await place.app.ended;
    await crew.replace(place);
  };
  return {
    'worker killed': async () => end(random.pick(workers()), 'SIGKILL'),
    'worker stopped': async () => end(random.pick(workers()), 'SIGTERM'),
    'worker frozen past its lease': async () => {
      const { app } = random.pick(workers());
      app.signal('SIGSTOP');
      await delay(2.5 * lab.config.jobs.leaseMs);
      app.signal('SIGCONT');
    },
    'API killed': async () => end(random.pick(crew.places.filter(({ name }) => name === 'api')), 'SIGKILL'),
    'Redis killed': async () => {
      await stores.redis.kill();
      await delay(2_000);
      await stores.redis.start();
    },
    'Redis emptied': async () => void (await lab.redis.flushall()),
    'Redis hung': async () => {
      await stores.redis.pause();
      await delay(3_000);
      stores.redis.resume();
    },
    'MongoDB frozen': async () => {
      await stores.mongo.freeze();
      await delay(5_000);
      stores.mongo.thaw();
    },
  };
}

type FaultsOptions = { crew: Crew; stores: Stores; random: SeededRandom };

/**
 * Causes a random fault every `everyMs`, until aborted.
 *
 * @returns the number of faults by name
 */
export async function causeFaults(
  lab: FaultLab,
  { everyMs, signal, ...options }: FaultsOptions & { everyMs: number; signal: AbortSignal },
): Promise<Map<string, number>> {
  const faults = faultsOf(lab, options);
  const caused = new Map<string, number>();
  let left: string[] = [];
  for (;;) {
    await delay(everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return caused;
    // Each kind in turn, in random order; workers are killed twice as often.
    if (left.length === 0) left = [...Object.keys(faults), 'worker killed'];
    const [name] = left.splice(options.random.below(left.length), 1);
    await faults[name!]!();
    caused.set(name!, (caused.get(name!) ?? 0) + 1);
  }
}

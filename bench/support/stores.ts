import { startThrowAwayStores } from '../../test/support/stores/throwAwayStores.ts';

/** Starts the stores of one benchmark: journal on, AOF every second. */
export function startBenchStores(): ReturnType<typeof startThrowAwayStores> {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  return startThrowAwayStores({ environment, prefix: 'bindery-bench-', say: (line) => console.error(line) });
}

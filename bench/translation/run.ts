// `npm run bench:translation`; `npm run bench:translation -- runs` measures and prints only the named parts,
// and `quick` makes them a tenth as large.
import { connectMongo, disconnectMongo, ensureIndexes } from '@bindery/models';
import { writeReport, measureParts, type Part } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { measureListing } from './listing.ts';
import { measureMemory } from './memory.ts';
import { measureApertium, measurePages } from './runs.ts';

const chosen = process.argv.slice(2).filter((word) => word !== 'quick');
const scale = process.argv.includes('quick') ? 0.1 : 1;

const stores = await startBenchStores();
/** One for each part, because its size matters. */
const uriOf = (database: string) =>
  Object.assign(new URL(stores.mongodbUri), { pathname: `/${database}` }).href;
Object.assign(process.env, {
  ...{ MONGODB_URI: uriOf('runs'), REDIS_URL: stores.redisUrl },
  ...{ BINDERY_SECRET_KEY: '00'.repeat(32), LOG_LEVEL: 'warn' },
});

/** One file per part; each returns its table rows and notes. */
const parts: Record<string, () => Promise<Part>> = {
  apertium: () => measureApertium(),
  pages: () => measurePages(1_000 * scale),
  memory: () => measureMemory({ few: 10_000 * scale, many: 1_000_000 * scale, uriOf }),
  listing: () => measureListing({ few: 100, many: 100_000 * scale }),
};

await connectMongo({ mongo: { uri: uriOf('runs') } });
await ensureIndexes();
const { rows, notes } = await measureParts(parts, chosen);
await disconnectMongo();
await stores.stop();

await writeReport(chosen.length === 0 && scale === 1 ? 'translation.md' : undefined, {
  title: 'Translations',
  intro:
    'Runs of the translation worker with real stores, each against its reference in the same run. Medians.',
  rows,
  notes,
});

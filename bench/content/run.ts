import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connectMongo, disconnectMongo, ensureIndexes } from '@bindery/models';
import { writeReport, measureParts, type Part } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { compareDocuments } from './documentDiff.ts';
import { measureLinks } from './links.ts';
import { measureMerge } from './merge.ts';
import { parsePages } from './parsePages.ts';
import { measureSearch } from './search.ts';

const stores = await startBenchStores();
const uri = Object.assign(new URL(stores.mongodbUri), { pathname: '/content' }).href;
await connectMongo({ mongo: { uri } });
await ensureIndexes();
const api = fork(new URL('../../apps/api/src/main.ts', import.meta.url), {
  env: {
    ...process.env,
    MONGODB_URI: uri,
    REDIS_URL: stores.redisUrl,
    BINDERY_SECRET_KEY: '00'.repeat(32),
    PORT: '0',
  },
  // Read the logs, as in production, and discard them.
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
api.stdout?.resume();
const [{ port }] = (await once(api, 'message')) as [{ port: number }];

/** One file per part; each returns its table rows and notes. */
const parts: Record<string, () => Promise<Part>> = {
  'pages as trees': parsePages,
  'differences of pages': compareDocuments,
  merging: () => measureMerge(`http://127.0.0.1:${port}`),
  links: async () => measureLinks(`http://127.0.0.1:${port}`),
  search: measureSearch,
};

const { rows, notes } = await measureParts(parts);

await writeReport('content.md', {
  title: 'Content',
  intro: 'Each line compares with its reference in the same run, the two by turns.',
  rows,
  notes,
});
api.kill('SIGKILL');
await disconnectMongo();
await stores.stop();

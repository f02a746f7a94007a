import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeReport } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { closeConnections } from './load.ts';
import { fillPublishedSite, measureReaderViews, readerAppUrl } from './readerViews.ts';

const stores = await startBenchStores();
const uri = Object.assign(new URL(stores.mongodbUri), { pathname: '/reader' }).href;
const page = await fillPublishedSite(uri);
const api = fork(new URL('../../apps/api/src/main.ts', import.meta.url), {
  env: {
    ...process.env,
    MONGODB_URI: uri,
    REDIS_URL: stores.redisUrl,
    BINDERY_SECRET_KEY: '00'.repeat(32),
    BINDERY_APP_URL: readerAppUrl,
    PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
api.stdout?.resume();
const [{ port }] = (await once(api, 'message')) as [{ port: number }];
const rows = await measureReaderViews(`http://127.0.0.1:${port}`, page);
await writeReport('reader.md', {
  title: "Views of GitBook's reader",
  intro:
    'A page of a published site, with the calls that the reader makes for it. The reference is a first view; it keeps what it was answered under the token, ' +
    'which is the same for ten minutes. The API has read the page before.',
  rows,
  notes: ['The time that the reader itself takes is not in it.'],
});
closeConnections();
api.kill('SIGKILL');
await stores.stop();

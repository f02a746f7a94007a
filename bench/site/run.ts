import { startTestBrowser } from '../../test/support/testBrowser.ts';
import { closeConnections } from '../http/load.ts';
import { writeReport, measureParts, type Part } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { measureAudits } from './audits.ts';
import { measureBeside } from './beside.ts';
import { fillSite } from './fillSite.ts';
import { measureFirstBytes } from './firstBytes.ts';
import { installPinnedTools, type PinnedTools } from './pinnedTools.ts';
import { measureSearch } from './search.ts';
import { measureSizes } from './sizes.ts';
import { startSite } from './siteProcess.ts';
import { measureUnderLoad } from './underLoad.ts';

await using undo = new AsyncDisposableStack();
const stores = await startBenchStores();
undo.defer(stores.stop);
const environment = {
  MONGODB_URI: Object.assign(new URL(stores.mongodbUri), { pathname: '/site' }).href,
  REDIS_URL: stores.redisUrl,
  BINDERY_SECRET_KEY: '00'.repeat(32),
};
console.error('filling');
const filled = await fillSite({ ...process.env, ...environment });
const site = await startSite(environment);
undo.defer(site.stop);
undo.defer(closeConnections);
const { browser, close } = await startTestBrowser();
undo.defer(close);

let installed: Promise<PinnedTools | string> | undefined;
async function pinnedTools(): Promise<PinnedTools | string> {
  installed ??= installPinnedTools();
  return installed;
}
undo.defer(async () => {
  const tools = await installed;
  if (typeof tools === 'object') await tools.remove();
});

/** One file per part; each returns its table rows and notes. */
const parts: Record<string, () => Promise<Part>> = {
  sizes: async () => measureSizes(site.origin, filled, browser),
  'first bytes': async () => measureFirstBytes(site, filled),
  search: async () => measureSearch(site.origin, filled),
  'under load': async () => measureUnderLoad(site, filled, environment),
  'on a telephone': async () => measureBeside(site.origin, filled, { browser, tools: await pinnedTools() }),
  lighthouse: async () => measureAudits(site.origin, filled, { browser, tools: await pinnedTools() }),
};

const chosen = process.argv.slice(2);
const { rows, notes } = await measureParts(parts, chosen);
await writeReport(chosen.length === 0 ? 'site.md' : undefined, {
  title: 'Sites as pages',
  intro:
    'A published site of 453 pages of real Markdown: the documentation and introductions of packages, and pages of 38 kB with 34 blocks of code. The reference is the budget of a figure, or VitePress with the same Markdown in the same run. Budgets are for a machine with nothing else to do: on a busy one compare the ratios of two runs, or rows with each other.',
  rows,
  notes,
});

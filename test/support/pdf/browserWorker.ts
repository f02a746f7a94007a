// A worker with a browser, which a test kills.
import { reapOrphans } from '@bindery/runtime';
import { createBrowsers } from '../../../apps/worker-pdf/src/browser/createBrowsers.ts';
import { silentLogger } from './silentLogger.ts';

await reapOrphans();
const browsers = await createBrowsers({
  executable: process.env.CHROME_PATH!,
  memoryMb: 1_000,
  logger: silentLogger,
});
const book = await browsers.openBook(new AbortController().signal);
await book.load({ html: '<p>A page.</p>', deadlineMs: 30_000 });
process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  book.close();
  void browsers.close().then(() => process.disconnect());
});
process.send!({ ready: true });

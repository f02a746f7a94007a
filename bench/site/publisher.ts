import { connectMongo, Space, type SpaceRecord } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { publishPages } from '../../test/support/content/indexing.ts';
import { guidePages } from './markdown.ts';

// Publishes a change of one page of the guide for each message. A process of its own, because readers are
// counted in another one.

await connectMongo(loadConfig());
const pages = guidePages().map((page) => ({ id: page.path, ...page }));
let changes = 0;

async function publish(): Promise<void> {
  const space = await Space.findOne({ title: 'Guide' }).lean<SpaceRecord>();
  if (!space) throw new Error('There is no guide.');
  changes += 1;
  const [first, ...others] = pages;
  if (first)
    await publishPages(space, [{ ...first, source: `${first.source}\n\nChange ${changes}.` }, ...others]);
  process.send?.({ changes });
}

process.on('message', () => void publish());
process.send?.({ ready: true });

import { globSync, readFileSync } from 'node:fs';
import { mongoDatabase } from '@bindery/models';
import { expect, it } from 'vitest';
import { storageFigures } from '../../../apps/cli/src/capacity/figures.ts';
import { indexEverything } from '../../support/content/indexing.ts';
import { startFaultLab } from '../../support/processes/faultLab.ts';

/** Of the pages that the figure of the capacity model is for (docs/scaling.md). */
const markdownBytes = 6_400;
/** The share that indexes add to the records. Only a larger corpus shows it: an empty index has 20 KB. */
const indexShare = 0.5;

/** The bytes of all records, before compression. */
async function storedBytes(): Promise<number> {
  const stats = await mongoDatabase().command({ dbStats: 1 });
  return Number(stats['dataSize']);
}

it(
  'a page of the documentation takes the space that the capacity model assumes',
  { timeout: 120_000 },
  async ({ onTestFinished }) => {
    const lab = await startFaultLab();
    onTestFinished(lab.close);
    await indexEverything(lab.config);
    const pages = globSync('docs/**/*.md').map((path) => [path, readFileSync(path, 'utf8')] as const);
    const { url } = await lab.gitServer.createRepository('docs.git', Object.fromEntries(pages));
    const space = await lab.newSpace();
    const before = await storedBytes();
    await lab.importHere(space, url);
    await indexEverything(lab.config);
    const stored = (await storedBytes()) - before;
    const markdown = pages.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    const page = (stored / markdown) * markdownBytes * (1 + indexShare);
    expect(page).toBeGreaterThan(0.75 * storageFigures.page);
    expect(page).toBeLessThan(1.25 * storageFigures.page);
  },
);

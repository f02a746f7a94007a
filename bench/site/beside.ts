import type { Browser } from 'puppeteer-core';
import type { Part, Row } from '../support/figures.ts';
import type { FilledSite } from './fillSite.ts';
import { guidePages, longPage } from './markdown.ts';
import { compareOnPhone, type Pair } from './phone.ts';
import { versions, type PinnedTools } from './pinnedTools.ts';
import { startVitePress, vitePressTabs } from './vitepress.ts';

/**
 * Measures pages on a telephone, beside those that VitePress makes of the same Markdown. Where npm does not
 * install it, a note says so.
 */
export async function measureBeside(
  origin: string,
  { guide }: FilledSite,
  { browser, tools }: { browser: Browser; tools: PinnedTools | string },
): Promise<Part> {
  await using undo = new AsyncDisposableStack();
  const pages = [longPage(0, vitePressTabs), ...guidePages()];
  const short = pages.length - 1;
  const pairs: Pair[] = [
    { name: 'the long page', ours: origin + (guide[0] ?? '') },
    { name: 'a page of 7 kB', ours: origin + (guide[short] ?? '') },
  ];
  if (typeof tools === 'string') {
    const rows = await comparePairs(pairs, browser);
    return { rows, notes: [`VitePress is left out: ${tools}`] };
  }
  const vitePress = await startVitePress(tools.folder, pages);
  undo.defer(vitePress.close);
  const both = pairs.map((pair, i) => ({
    ...pair,
    reference: `${vitePress.origin}/${pages[i === 0 ? 0 : short]?.path}`,
  }));
  const rows = await comparePairs(both, browser);
  return {
    rows,
    notes: [
      `VitePress ${versions.vitepress}: the guide with the same ${pages.length} pages and as many entries in its navigation, its local search, served from memory with brotli 11. Telephone: 4 times slower, 1.6 Mbit/s, 150 ms, median of 5 by turns.`,
    ],
  };
}

async function comparePairs(pairs: readonly Pair[], browser: Browser): Promise<Row[]> {
  const rows: Row[] = [];
  for (const pair of pairs) rows.push(...(await compareOnPhone(pair, browser)));
  return rows;
}

import { brotliDecompressSync } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { send } from '../http/load.ts';
import { budgetRow, median, type Part } from '../support/figures.ts';
import type { FilledSite } from './fillSite.ts';
import { openInBrowser } from './openInBrowser.ts';

const budgets = { htmlKb: 25, styleKb: 6, scriptKb: 6, allKb: 100, requests: 6 };

type Size = { path: string; value: number };

/** Measures the HTML of each page, and all that Chromium loads for the pages of the guide. */
export async function measureSizes(
  origin: string,
  { guide, typical, long }: FilledSite,
  browser: Browser,
): Promise<Part> {
  const html: Size[] = [];
  const raw: Size[] = [];
  for (const path of [...guide, ...typical, ...long]) {
    const { body } = await send({ origin, path, encoding: 'br' });
    html.push({ path, value: body.length / 1_000 });
    raw.push({ path, value: brotliDecompressSync(body).length / 1_000 });
  }
  const all: Size[] = [];
  const requests: Size[] = [];
  for (const path of guide) {
    const loaded = await openInBrowser(browser, origin + path);
    all.push({ path, value: loaded.bytes / 1_000 });
    requests.push({ path, value: loaded.requests });
  }
  const first = (await send({ origin, path: guide[0] ?? '' })).body.toString();
  const assets = [...new Set(first.match(/[^"]+\/~\/assets\/[^"]+/g))];
  const assetKb = async (ending: string) => {
    const sizes = assets.filter((path) => path.endsWith(ending)).map((path) => kilobytes(origin, path));
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  const [htmlKb, allKb, most] = [largest(html), largest(all), largest(requests)];
  return {
    rows: [
      budgetRow(`HTML of the largest of ${html.length} pages, brotli`, {
        ours: htmlKb.value,
        budget: budgets.htmlKb,
        unit: 'kB',
      }),
      budgetRow('style sheets of a page, brotli', {
        ours: await assetKb('.css'),
        budget: budgets.styleKb,
        unit: 'kB',
      }),
      budgetRow('script of a page, brotli', {
        ours: await assetKb('.js'),
        budget: budgets.scriptKb,
        unit: 'kB',
      }),
      budgetRow(`all bytes of the largest of ${all.length} pages in Chromium, without images`, {
        ours: allKb.value,
        budget: budgets.allKb,
        unit: 'kB',
      }),
      budgetRow('requests of the page with the most, without images', {
        ours: most.value,
        budget: budgets.requests,
        unit: 'requests',
      }),
    ],
    notes: [
      `HTML: p50 ${kb(medianOf(raw))} kB, brotli ${kb(medianOf(html))} kB; the long page ${kb(sizeAt(raw, guide[0]))} kB, brotli ${kb(sizeAt(html, guide[0]))} kB; the largest ${kb(largest(raw).value)} kB, brotli ${kb(htmlKb.value)} kB.`,
      `In Chromium: p50 ${kb(medianOf(all))} kB in ${medianOf(requests)} requests.`,
      exceeding('HTML', html, budgets.htmlKb),
      exceeding('All bytes', all, budgets.allKb),
    ],
  };
}

async function kilobytes(origin: string, path: string): Promise<number> {
  const { body } = await send({ origin, path, encoding: 'br' });
  return body.length / 1_000;
}

const largest = (sizes: readonly Size[]) => sizes.toSorted((a, b) => b.value - a.value)[0] as Size;
const medianOf = (sizes: readonly Size[]) => median(sizes.map(({ value }) => value));
const sizeAt = (sizes: readonly Size[], path: string | undefined) =>
  sizes.find((size) => size.path === path)?.value ?? Number.NaN;
const kb = (value: number) => value.toFixed(1);

function exceeding(name: string, sizes: readonly Size[], budget: number): string {
  const above = sizes.filter(({ value }) => value > budget).toSorted((a, b) => b.value - a.value);
  const named = above.slice(0, 10).map(({ path, value }) => `${path.split('/').at(-1)} (${kb(value)} kB)`);
  if (named.length === 0) return `${name} above ${budget} kB: no page.`;
  return `${name} above ${budget} kB: ${above.length} of ${sizes.length} pages, ${named.join(', ')}.`;
}

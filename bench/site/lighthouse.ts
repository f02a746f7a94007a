import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';

/** Scores of 0 to 100, by category, and the audits that lower one. */
export type Audited = { scores: Readonly<Record<string, number>>; failed: string[] };

type Audit = { score: number | null };
type Category = Audit & { auditRefs: { id: string; weight: number }[] };

type Lighthouse = (
  url: string,
  flags: object,
  config: undefined,
  page: Page,
) => Promise<{ lhr: { categories: Record<string, Category>; audits: Record<string, Audit> } }>;

/** Audits a page as on a telephone. @param tools  the folder in whose `node_modules` Lighthouse is */
export async function auditPage(browser: Browser, url: string, tools: string): Promise<Audited> {
  const file = pathToFileURL(join(tools, 'node_modules/lighthouse/core/index.js')).href;
  const { default: lighthouse } = (await import(file)) as { default: Lighthouse };
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const { lhr } = await lighthouse(url, { output: 'json', logLevel: 'error' }, undefined, page);
    const categories = Object.entries(lhr.categories).filter(([, { score }]) => score !== null);
    const lowered = categories.flatMap(([, { score, auditRefs }]) => (score === 1 ? [] : auditRefs));
    const failed = lowered.filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9);
    return {
      scores: Object.fromEntries(
        categories.map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
      ),
      failed: failed.map(({ id }) => id),
    };
  } finally {
    await context.close();
  }
}

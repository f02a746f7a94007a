import type { Browser } from 'puppeteer-core';
import { budgetRow, type Part, type Row } from '../support/figures.ts';
import type { FilledSite } from './fillSite.ts';
import { auditPage } from './lighthouse.ts';
import { versions, type PinnedTools } from './pinnedTools.ts';

type Audited = { name: string; lowest: number; says: string };

/**
 * Audits pages with Lighthouse as on a telephone: a long and a short one, one for each group of blocks, and
 * one with each preset of a theme. Where npm does not install it, a note says so.
 */
export async function measureAudits(
  origin: string,
  { guide, looks }: FilledSite,
  { browser, tools }: { browser: Browser; tools: PinnedTools | string },
): Promise<Part> {
  if (typeof tools === 'string') return { rows: [], notes: [`Lighthouse is left out: ${tools}`] };
  const audit = async (name: string, path = ''): Promise<Audited> => {
    const { scores, failed } = await auditPage(browser, origin + path, tools.folder);
    const lowered = Object.entries(scores).filter(([, score]) => score < 100);
    const named = lowered.map(([category, score]) => `${category} ${score}`).join(', ');
    const because = failed.length > 0 ? ` (${failed.join(', ')})` : '';
    return { name, lowest: Math.min(...Object.values(scores)), says: `${named || '100'}${because}` };
  };
  const real = [await audit('the long page', guide[0]), await audit('a page of 7 kB', guide.at(-2))];
  const shown: Audited[] = [];
  for (const [name, path] of Object.entries(looks)) shown.push(await audit(name, path));
  const lowest = shown.map((each) => each.lowest);
  const all = [...real, ...shown].map(({ name, says }) => `${name} ${says}`);
  return {
    rows: [
      ...real.map((each) => scoreRow(each.name, each.lowest)),
      scoreRow(`${shown.length} pages with each group of blocks and each theme`, Math.min(...lowest)),
    ],
    notes: [`Lighthouse ${versions.lighthouse}, telephone, what is below 100: ${all.join('; ')}.`],
  };
}

function scoreRow(name: string, ours: number): Row {
  return budgetRow(`${name}, lowest score of Lighthouse`, { ours, budget: 100, unit: '', goal: '>= 1' });
}

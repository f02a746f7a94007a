import type { Browser } from 'puppeteer-core';
import { budgetRow, median, type Row } from '../support/figures.ts';
import { openInBrowser, type Loaded } from './openInBrowser.ts';

const rounds = 5;
/** A shift of a hundredth is nothing that a reader sees. */
const goals = { lcpMs: 1_500, cls: 0.01 };

/** A page of the site, the same of the reference, if there is one, and its name in the report. */
export type Pair = { name: string; ours: string; reference?: string };

/** Compares a page with its reference on a phone: loads them alternately, with an empty cache each time. */
export async function compareOnPhone({ name, ours, reference }: Pair, browser: Browser): Promise<Row[]> {
  const mine: Loaded[] = [];
  const theirs: Loaded[] = [];
  for (let round = 0; round < rounds; round += 1) {
    mine.push(await openInBrowser(browser, ours, { isPhone: true }));
    if (reference !== undefined) theirs.push(await openInBrowser(browser, reference, { isPhone: true }));
  }
  const of = (all: readonly Loaded[], key: keyof Loaded) => median(all.map((one) => one[key]));
  const lcpMs = of(mine, 'lcpMs');
  const rows = [
    budgetRow(`${name} on a telephone, largest paint`, { ours: lcpMs, budget: goals.lcpMs, unit: 'ms' }),
    budgetRow(`${name} on a telephone, layout shift`, { ours: of(mine, 'cls'), budget: goals.cls, unit: '' }),
  ];
  if (theirs.length === 0) return rows;
  const beside = (figure: string, key: keyof Loaded, show: (value: number) => string): Row => {
    const ratio = of(mine, key) / of(theirs, key);
    return {
      name: `${name} beside VitePress, ${figure}`,
      reference: show(of(theirs, key)),
      ours: show(of(mine, key)),
      ratio,
      goal: '<= 1',
      isMet: ratio <= 1,
    };
  };
  return [
    ...rows,
    beside('bytes without images', 'bytes', (value) => `${(value / 1_000).toFixed(1)} kB`),
    beside('requests without images', 'requests', String),
    beside('largest paint on a telephone', 'lcpMs', (value) => `${Math.round(value)} ms`),
  ];
}

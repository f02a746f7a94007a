import { seededRandom } from '../../test/support/seededRandom.ts';
import { send } from '../http/load.ts';
import { budgetRow, quantile, type Part } from '../support/figures.ts';
import type { FilledSite } from './fillSite.ts';

const rounds = 5;
const queryCount = 200;
const goals = { ms: 60, kb: 3 };

/** Measures the search that answers while a reader types, over all pages of the site. */
export async function measureSearch(origin: string, { root, titles }: FilledSite): Promise<Part> {
  const ask = async (query: string) =>
    send({ origin, path: `${root}/~/search.json?q=${encodeURIComponent(query)}` });
  const queries = makeQueries(titles);
  const samples: number[] = [];
  const firstSamples: number[] = [];
  let largestBytes = 0;
  let found = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const query of queries) {
      const { tookMs, body } = await ask(query);
      (round === 0 ? firstSamples : samples).push(tookMs);
      largestBytes = Math.max(largestBytes, body.length);
      found += (JSON.parse(body.toString()) as { results: unknown[] }).results.length;
    }
  }
  const ms = (share: number, of: number[]) => quantile(of, share);
  return {
    rows: [
      budgetRow('search as a reader types: p95', { ours: ms(0.95, samples), budget: goals.ms, unit: 'ms' }),
      budgetRow('the same, p50', { ours: ms(0.5, samples), budget: goals.ms, unit: 'ms', goal: '-' }),
      budgetRow('largest answer of a search', { ours: largestBytes / 1_000, budget: goals.kb, unit: 'kB' }),
    ],
    notes: [
      `Search: ${queryCount} queries (three letters, a word, two words of a title), ${rounds} rounds one at a time, ${(found / (rounds + 1) / queryCount).toFixed(1)} results on average. Asked for the first time: p50 ${ms(0.5, firstSamples).toFixed(1)} ms, p95 ${ms(0.95, firstSamples).toFixed(1)} ms.`,
    ],
  };
}

function makeQueries(titles: readonly string[]): string[] {
  const random = seededRandom(60);
  return Array.from({ length: queryCount }, (_, i) => {
    const [first = '', second = ''] = random.pick(titles).match(/\w{2,}/g) ?? [];
    return [first.slice(0, 3), first, `${first} ${second}`][i % 3] ?? first;
  });
}

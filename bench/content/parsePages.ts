import { documentToMarkdown, parseDocument } from '@bindery/dialect';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { quantile, type Part, type Row } from '../support/figures.ts';
import { hostilePages, typicalPages } from './pages.ts';

const rounds = 5;
const pageCount = 300;
const worstGoalMs = 2_000;

const runs = {
  reference: (page: string) => fromMarkdown(page) as unknown,
  read: (page: string) => parseDocument(page) as unknown,
  written: (page: string) => documentToMarkdown(parseDocument(page)) as unknown,
};
const order = Object.keys(runs) as (keyof typeof runs)[];

/**
 * P24: compares Markdown to a document tree with parsing the Markdown alone, and measures the pages designed
 * to be slow.
 */
export async function parsePages(): Promise<Part> {
  const pages = typicalPages(pageCount);
  const samples = { reference: [] as number[], read: [] as number[], written: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, page] of pages.entries()) {
      // Alternate the order: the second one finds the page in the processor's caches.
      const names = (index + round) % 2 === 0 ? order : order.toReversed();
      for (const name of names) {
        const ms = timeOf(() => runs[name](page));
        // The first round is a warm-up.
        if (round > 0) samples[name].push(ms);
      }
    }
  }
  const rows: Row[] = [
    row('P24: a page as a document tree, p50', 0.5, {
      samples: samples.read,
      against: samples.reference,
      goal: 3,
    }),
    row('the same, p99', 0.99, { samples: samples.read, against: samples.reference }),
    row('and back as Markdown, p50', 0.5, { samples: samples.written, against: samples.reference }),
  ];

  let peakBytes = 0;
  for (const [name, page] of Object.entries(hostilePages())) {
    const ms = timeOf(() => parseDocument(page));
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
    rows.push({
      name: `P24: ${Math.round(page.length / 1000)} kB of ${name}`,
      reference: `${worstGoalMs} ms`,
      ours: `${Math.round(ms)} ms`,
      ratio: ms / worstGoalMs,
      goal: '<= 1',
      isMet: ms <= worstGoalMs,
    });
  }
  const kilobytes = pages.map((page) => page.length / 1000);
  return {
    rows,
    notes: [
      `P24: ${pageCount} pages of ${quantile(kilobytes, 0).toFixed(1)} to ${quantile(kilobytes, 1).toFixed(1)} kB, ${rounds} rounds. The reference is fromMarkdown of mdast-util-from-markdown, without tables, math and block tags. Nothing is cached.`,
      `The process holds at most ${Math.round(peakBytes / 2 ** 20)} MiB while it reads the pages that are made to take long.`,
    ],
  };
}

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function row(
  name: string,
  share: number,
  { samples, against, goal }: { samples: number[]; against: number[]; goal?: number },
): Row {
  const [theirs, ours] = [quantile(against, share), quantile(samples, share)];
  const ratio = ours / theirs;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return {
    name,
    reference: ms(theirs),
    ours: ms(ours),
    ratio,
    goal: goal === undefined ? '-' : `<= ${goal}`,
    isMet: goal === undefined || ratio <= goal,
  };
}

import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';

/** The quantile of samples: the value below which the given share of them lies; 0.5 gives the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** One row of a report: the name, both figures, the goal in words, and whether it is met. */
export type Row = {
  name: string;
  reference: string;
  ours: string;
  ratio: number;
  goal: string;
  isMet: boolean;
};

/** The table rows of a part of a benchmark, and its notes. */
export type Part = { rows: Row[]; notes: string[] };

/**
 * Measures parts one after the other.
 *
 * @param chosen  the names of the parts; none for all
 */
export async function measureParts(
  parts: Readonly<Record<string, () => Promise<Part>>>,
  chosen: readonly string[] = [],
): Promise<Part> {
  const all: Part = { rows: [], notes: [] };
  for (const [name, measure] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.error(name);
    const { rows, notes } = await measure();
    all.rows.push(...rows);
    all.notes.push(...notes);
  }
  return all;
}

type Budget = { ours: number; budget: number; unit: string; goal?: '<= 1' | '>= 1' | '-' };

/**
 * A row that compares a figure with its budget: it is met up to the budget itself.
 *
 * @param figures.goal  default: at most the budget; `-` for a figure that is only shown beside it
 */
export function budgetRow(name: string, { ours, budget, unit, goal = '<= 1' }: Budget): Row {
  const figure = (value: number) => `${Number(value.toPrecision(3))} ${unit}`.trim();
  return {
    name,
    reference: figure(budget),
    ours: figure(ours),
    ratio: ours / budget,
    goal,
    isMet: goal === '-' || (goal === '<= 1' ? ours <= budget : ours >= budget),
  };
}

function verdict(goal: string, isMet: boolean): string {
  if (goal === '-') return '';
  return isMet ? 'yes' : '**no**';
}

/**
 * Writes a table to docs/benchmarks and prints it. Compare ratios only: absolute figures depend more on the
 * machine than on the code.
 *
 * @param file  absent for a report of some parts only, which is printed
 */
export async function writeReport(
  file: string | undefined,
  { title, intro, rows, notes }: { title: string; intro: string; rows: Row[]; notes: string[] },
): Promise<void> {
  const lines = [
    `# ${title}`,
    '',
    intro,
    '',
    `${cpus().length} processors (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} at the end.`,
    '',
    '| What | Reference | Bindery | Ratio | Goal | Met |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, reference, ours, ratio, goal, isMet }) =>
        `| ${name} | ${reference} | ${ours} | ${ratio.toFixed(2)} | ${goal} | ${verdict(goal, isMet)} |`,
    ),
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ];
  const text = lines.join('\n');
  console.log(text);
  if (file === undefined) return;
  await mkdir(new URL('../../docs/benchmarks/', import.meta.url), { recursive: true });
  await writeFile(new URL(`../../docs/benchmarks/${file}`, import.meta.url), text);
}

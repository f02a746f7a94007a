/** Collects the measurements of fault tests, and prints them as a table for the documentation. */
export type ResultTable = { add(row: ResultRow): void; print(): void };

/** `goal` and `measured` in words, with units. */
export type ResultRow = { fault: string; runs: number; result: string; measured: string; goal: string };

const columns = ['fault', 'runs', 'result', 'measured', 'goal'] as const satisfies (keyof ResultRow)[];

export function createResultTable(): ResultTable {
  const rows: ResultRow[] = [];
  return {
    add: (row) => void rows.push(row),
    print: () => {
      const lines = [
        columns.join(' | '),
        columns.map(() => '---').join(' | '),
        ...rows.map((row) => columns.map((column) => String(row[column])).join(' | ')),
      ];
      console.log(lines.map((line) => `| ${line} |`).join('\n'));
    },
  };
}

/** Whether to run everything instead of what fits into the usual test run, which reports what it omits. */
export const isFull = process.env.BINDERY_FAULTS === 'full';

export function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

export function inMilliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** Returns the value that `share` percent of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((share / 100) * sorted.length) - 1)] ?? Number.NaN;
}

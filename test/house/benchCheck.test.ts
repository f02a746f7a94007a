import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorse, readReport } from '../../scripts/bench-check.ts';

const project = resolve(import.meta.dirname, '../..');
const report = (...rows: string[]) =>
  [
    '# Jobs',
    '',
    '| What | Reference | Bindery | Ratio | Goal | Met |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');

describe('npm run bench:check', () => {
  it('reads every row of every report', () => {
    const reports = globSync('docs/benchmarks/*.md', { cwd: project, exclude: ['**/README.md'] });
    for (const file of reports) {
      const text = readFileSync(resolve(project, file), 'utf8');
      const rows = text.split('\n').filter((line) => /^\| (?!What )/.test(line));
      expect([file, readReport(text).size]).toEqual([file, rows.length]);
    }
  });

  it('reports newly missed goals, and ratios that are worse by more than a fifth', () => {
    const before = report(
      '| a query, p50 | 1 ms | 2 ms | 2.00 | <= 3 | yes |',
      '| the same, p99 | 1 ms | 2 ms | 2.00 | <= 3 | yes |',
      '| requests per second | 100 /s | 90 /s | 0.90 | >= 0.7 | yes |',
      '| an import | 1 s | 2 s | 2.00 | <= 1 | **no** |',
      '| memory | - | 9 MB | 0.90 | - |  |',
      '| an export | 1 s | 1 s | 1.00 | <= 2 | yes |',
    );
    const after = report(
      '| a query, p50 | 1 ms | 2 ms | 2.30 | <= 3 | yes |',
      '| the same, p99 | 1 ms | 4 ms | 3.10 | <= 3 | **no** |',
      '| requests per second | 100 /s | 70 /s | 0.72 | >= 0.7 | yes |',
      '| an import | 1 s | 3 s | 2.50 | <= 1 | **no** |',
      '| memory | - | 90 MB | 9.00 | - |  |',
    );
    expect(findWorse(before, after)).toEqual([
      'a query, p50; the same, p99: misses its goal now (2.00 -> 3.10, goal <= 3)',
      'requests per second: worse (0.90 -> 0.72, goal >= 0.7)',
      'an import: worse (2.00 -> 2.50, goal <= 1)',
      'an export: not measured any more',
    ]);
    expect(findWorse(before, before)).toEqual([]);
  });
});

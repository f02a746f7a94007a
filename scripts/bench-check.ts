import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A row of a report of docs/benchmarks, as `writeReport` of bench/support writes it. */
type BenchRow = { name: string; ratio: number; goal: string; isMet: boolean };

const folder = 'docs/benchmarks';
/** Smaller differences are noise on a shared machine. */
const tolerance = 1.2;

/** Reads the table of a report. A row such as `the same, p99` gets the name of the row before it. */
export function readReport(text: string): Map<string, BenchRow> {
  const rows = new Map<string, BenchRow>();
  let subject = '';
  for (const line of text.split('\n')) {
    const cells = line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '').trim());
    const [name = '', , , ratio = '', goal = '', met = ''] = cells;
    if (!line.startsWith('| ') || !/^\d+\.\d\d$/.test(ratio)) continue;
    const isSame = /^(?:and |the same)| of it$/.test(name);
    if (!isSame) subject = name;
    const key = isSame ? `${subject}; ${name}` : name;
    rows.set(key, { name: key, ratio: Number(ratio), goal, isMet: !met.includes('no') });
  }
  return rows;
}

/**
 * Lists what became worse between two reports, a line each: goals that are missed now, ratios that are worse
 * by more than a fifth in the direction of their goal, and rows that are gone.
 */
export function findWorse(before: string, after: string): string[] {
  const now = readReport(after);
  return [...readReport(before).values()].flatMap(({ name, ratio, goal, isMet }) => {
    const found = now.get(name);
    if (!found) return [`${name}: not measured any more`];
    const change = `${ratio.toFixed(2)} -> ${found.ratio.toFixed(2)}, goal ${found.goal}`;
    if (isMet && goal !== '-' && !found.isMet) return [`${name}: misses its goal now (${change})`];
    const isWorse = goal.startsWith('>=') ? found.ratio * tolerance < ratio : found.ratio > ratio * tolerance;
    return goal !== '-' && isWorse ? [`${name}: worse (${change})`] : [];
  });
}

/** Compares the reports in the working tree with those of the last commit. */
function check(): number {
  let worse = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    const path = `${folder}/${file}`;
    const after = readFileSync(path, 'utf8');
    const before = committed(path);
    if (before === undefined || before === after) continue;
    const lines = findWorse(before, after);
    worse += lines.length;
    console.log(`${file}: ${lines.length === 0 ? 'nothing became worse' : `${lines.length} became worse`}`);
    for (const line of lines) console.log(`  ${line}`);
  }
  console.log(`${worse} figures became worse than in the last commit`);
  return worse === 0 ? 0 : 1;
}

function committed(path: string): string | undefined {
  try {
    return execFileSync('git', ['show', `HEAD:${path}`], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    // A new report.
    return undefined;
  }
}

if (import.meta.main) process.exitCode = check();

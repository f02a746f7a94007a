// `npm run bench:openapi`; `npm run bench:openapi -- diff` measures and prints only the named parts.
import { writeReport, measureParts, type Part } from '../support/figures.ts';
import { measureDiff } from './diff.ts';
import { measureNext } from './next.ts';
import { measureReading } from './read.ts';

/** One file per part; each returns its table rows and notes. */
const parts: Record<string, () => Promise<Part>> = {
  read: measureReading,
  next: measureNext,
  diff: measureDiff,
};

const chosen = process.argv.slice(2);
const { rows, notes } = await measureParts(parts, chosen);

const isWhole = Object.keys(parts).every((name) => chosen.length === 0 || chosen.includes(name));
await writeReport(isWhole ? 'openapi.md' : undefined, {
  title: 'Specifications',
  intro: 'Each line compares with its reference in the same run, the two by turns.',
  rows,
  notes,
});

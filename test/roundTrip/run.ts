import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { pagesIn } from './pagesIn.ts';
import { roundTripOf, type RoundTrip } from './roundTrip.ts';

const usage = 'npm run test:round-trip -- [--show <count>] <git directory or folder>...';
const args = process.argv.slice(2);
const showAt = args.indexOf('--show');
const shown = showAt < 0 ? 0 : Number(args.splice(showAt, 2)[1]);
if (args.length === 0) {
  console.error(
    `Checks that Markdown pages come back from the document tree as they went in.\n\n    ${usage}`,
  );
  process.exit(2);
}

const problems = ['unstable', 'wordsLost', 'headings', 'codeLines', 'links', 'images'] as const;
type Problem = (typeof problems)[number];
console.log(
  [
    '| Repository | pages | stable | words lost | headings | code lines | links | images | slowest |',
    '|---|---|---|---|---|---|---|---|---|',
  ].join('\n'),
);
let hasProblem = false;

for (const path of args) {
  const counts = Object.fromEntries(problems.map((problem) => [problem, 0])) as Record<Problem, number>;
  let pages = 0;
  let stable = 0;
  let slowestMs = 0;
  const examples: string[] = [];
  for (const { name, bytes } of pagesIn(path)) {
    const body = new TextDecoder().decode(splitFrontmatter(bytes).body);
    const start = performance.now();
    const result = roundTripOf(body);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    pages += 1;
    if (!result.unstable) stable += 1;
    for (const problem of problems) {
      const found = listOf(result, problem);
      counts[problem] += found.length;
      if (found.length > 0)
        examples.push(`${problem.padEnd(10)} ${name}: ${JSON.stringify(found.slice(0, 4))}`);
    }
  }
  hasProblem ||= Object.values(counts).some((count) => count > 0);
  const { wordsLost, headings, codeLines, links, images } = counts;
  console.log(
    `| ${path} | ${pages} | ${stable} | ${wordsLost} | ${headings} | ${codeLines} | ${links} | ${images} | ${Math.round(slowestMs)} ms |`,
  );
  for (const example of examples.slice(0, shown)) console.error(example.slice(0, 600));
}
process.exitCode = hasProblem ? 1 : 0;

function listOf(result: RoundTrip, problem: Problem): unknown[] {
  if (problem === 'unstable') return result.unstable ? [result.unstable] : [];
  return result[problem];
}

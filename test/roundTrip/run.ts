import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
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

/** The Markdown pages of the newest commit of a git directory, or below a folder. */
function* pagesIn(path: string): Iterable<{ name: string; bytes: Uint8Array }> {
  if (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))) return yield* pagesInGit(path);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.md$/i.test(entry.name)) yield { name: file, bytes: readFileSync(file) };
  }
}

function* pagesInGit(directory: string): Iterable<{ name: string; bytes: Uint8Array }> {
  const git = (...parts: string[]) => [`--git-dir=${directory}`, ...parts];
  const list = execFileSync('git', git('ls-tree', '-r', '-z', 'HEAD'), {
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  const files = list.split('\0').flatMap((line) => {
    const [, oid = '', name = ''] = /^\d+ blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
    return /\.md$/i.test(name) && !/(?:^|\/)SUMMARY\.md$/.test(name) ? [{ oid, name }] : [];
  });
  const input = files.map(({ oid }) => oid).join('\n');
  const { stdout } = spawnSync('git', git('cat-file', '--batch'), { input, maxBuffer: 2 ** 30 });
  let position = 0;
  for (const { name } of files) {
    const end = stdout.indexOf('\n', position);
    const [, type, size] = stdout.subarray(position, end).toString().split(' ');
    position = end + 1;
    // A snapshot may lack some of its files.
    if (type !== 'blob') continue;
    yield { name, bytes: new Uint8Array(stdout.subarray(position, position + Number(size))) };
    position += Number(size) + 1;
  }
}

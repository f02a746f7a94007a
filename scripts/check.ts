import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The npm scripts of `npm run check`, fastest first, each with the way to fix a failure. */
const checks = {
  'format:check': 'npm run format',
  'lint:lockfile': 'each line says what to do',
  'lint:imports': 'the rules and their reasons are in .dependency-cruiser.cjs',
  'lint:folders': 'group the files by topic into folders',
  'lint:lines': 'wrap the comments and documents that it names',
  'lint:unused': 'remove what nothing uses, or say in knip.json who does',
  lint: 'the rules are in .oxlintrc.json',
  typecheck: 'correct the types',
} as const;

// All of them run, even after a failure, so that one run shows all problems.
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
let failed = 0;
for (const [name, fix] of Object.entries(checks)) {
  const begunMs = performance.now();
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', scripts[name] ?? `echo "package.json has no script ${name}"; exit 1`],
    {
      encoding: 'utf8',
      env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const took = `${((performance.now() - begunMs) / 1000).toFixed(1)} s`;
  if (status === 0) {
    console.log(`ok      ${name} (${took})`);
    continue;
  }
  failed += 1;
  const lines = `${stdout}${stderr}`.split('\n');
  const rest = lines.length > 300 ? [`... and ${lines.length - 300} lines more`] : [];
  console.log([`FAILED  ${name} (${took}): ${fix}`, ...lines.slice(0, 300), ...rest].join('\n'));
}
console.log(failed === 0 ? 'all checks passed' : `${failed} of ${Object.keys(checks).length} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;

// Adds up the results of the sections of .ci/run, names files of which no test ran, and prints
// `N passed, N failed` as its last line; exits with 1 when anything failed.
//
// Usage: node scripts/count-tests.mjs <exit code>[:<report of vitest's JSON reporter>] ...
// with one argument for each section. Plain JavaScript, so that it also counts when the installation failed
// and no Node that reads TypeScript is available.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

let passed = 0;
let failed = 0;
for (const section of process.argv.slice(2)) {
  const [, code, file] = /^(\d+)(?::(.*))?$/.exec(section);
  const results = file === undefined ? [] : readResults(file);
  const tests = results.flatMap((result) => result.assertionResults.map((test) => test.status));
  const failures =
    tests.filter((status) => status === 'failed').length +
    // A file that did not load, whose hook failed or whose process died has no failed test, but no passed
    // test either.
    results.filter(
      (result) =>
        result.status === 'failed' && result.assertionResults.every((test) => test.status !== 'failed'),
    ).length;
  for (const { name, assertionResults } of results)
    if (assertionResults.length > 0 && assertionResults.every(({ status }) => status === 'pending'))
      console.log(`NOT RUN: ${relative(process.cwd(), name)}`);
  passed += tests.filter((status) => status === 'passed').length;
  // An error outside of tests, a crash of the runner or a failed check shows only in the exit code.
  failed += Math.max(failures, code === '0' ? 0 : 1);
  // No test ran: an error of the caller, whatever the exit code.
  if (file !== undefined && code === '0' && tests.length === 0) failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** The results by test file; empty when the runner died before writing its report. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}

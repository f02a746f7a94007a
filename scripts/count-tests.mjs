// Adds up the results of the sections of .ci/run, names files of which no test ran, repeats the failures, of
// which the middle of a long output is easily lost, and prints `N passed, N failed` as its last line; exits
// with 1 when anything failed.
//
// Usage: node scripts/count-tests.mjs <exit code>[:<report of vitest's JSON reporter>] ...
// with one argument for each section. `BINDERY_TEST_FAILURES` names the file of failures that
// test/support/failures.ts wrote. Plain JavaScript, so that it also counts when the installation failed
// and no Node that reads TypeScript is available.
import { readFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';

/** Bytes of failures that are repeated. */
const shownBytes = 12_000;

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
  printNotRun(results);
  passed += tests.filter((status) => status === 'passed').length;
  // An error outside of tests, a crash of the runner or a failed check shows only in the exit code.
  failed += Math.max(failures, code === '0' ? 0 : 1);
  // No test ran: an error of the caller, whatever the exit code.
  if (file !== undefined && code === '0' && tests.length === 0) failed += 1;
}
const failures = readFailures();
if (failures !== '') console.log(`\n===== failures\n${failures}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** A line for each folder: a line for each file would push the failures out of what is kept of an output. */
function printNotRun(results) {
  const isNotRun = ({ assertionResults }) =>
    assertionResults.length > 0 && assertionResults.every(({ status }) => status === 'pending');
  const paths = results.filter(isNotRun).map(({ name }) => relative(process.cwd(), name));
  // Not Map.groupBy, which Node 20 lacks.
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const names = paths.filter((path) => dirname(path) === folder).map((path) => basename(path, '.test.ts'));
    console.log(`NOT RUN: ${folder}: ${names.join(' ')}`);
  }
}

/** The failures so far; empty when nothing failed, or when the runner died before writing them. */
function readFailures() {
  try {
    return readFileSync(process.env.BINDERY_TEST_FAILURES ?? '')
      .subarray(0, shownBytes)
      .toString('utf8');
  } catch {
    return '';
  }
}

/** The results by test file; empty when the runner died before writing its report. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}

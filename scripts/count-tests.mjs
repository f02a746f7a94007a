// Adds up what the sections of .ci/run gave and ends with the plain line `N passed, N failed`; its exit code
// is 1 when anything failed.
//
// Usage: node scripts/count-tests.mjs <exit code>[:<report of vitest's JSON reporter>] ...      one argument
// for each section Plain JavaScript: it also counts when the installation failed and there is no Node that
// reads TypeScript.
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const section of process.argv.slice(2)) {
  const [, code, file] = /^(\d+)(?::(.*))?$/.exec(section);
  const results = file === undefined ? [] : readResults(file);
  const tests = results.flatMap((result) => result.assertionResults.map((test) => test.status));
  const failures =
    tests.filter((status) => status === 'failed').length +
    // A file that did not load, whose hook failed or whose process died has no failed test, but none of its
    // tests passed either.
    results.filter(
      (result) =>
        result.status === 'failed' && result.assertionResults.every((test) => test.status !== 'failed'),
    ).length;
  passed += tests.filter((status) => status === 'passed').length;
  // An error outside of every test, a crash of the runner and a failed check show in the exit code only.
  failed += Math.max(failures, code === '0' ? 0 : 1);
  // Nothing ran: that is a failure of whoever started it, whatever the exit code says.
  if (file !== undefined && code === '0' && tests.length === 0) failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** The results by test file; none when the runner died before it wrote its report. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}

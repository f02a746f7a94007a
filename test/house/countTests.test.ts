import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bindery-count-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A report as vitest's JSON reporter writes it: one list of test states for each file. */
function report(name: string, ...files: { status: string; tests: string[]; path?: string }[]): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    JSON.stringify({
      testResults: files.map(({ status, tests, path: file = 'any.test.ts' }) => ({
        name: resolve(file),
        status,
        assertionResults: tests.map((each) => ({ status: each })),
      })),
    }),
  );
  return path;
}

function run(sections: string[], failures = '') {
  const script = resolve(import.meta.dirname, '../../scripts/count-tests.mjs');
  const env = { ...process.env, BINDERY_TEST_FAILURES: failures };
  return spawnSync(process.execPath, [script, ...sections], { encoding: 'utf8', env });
}

function count(...sections: string[]): { line: string; status: number | null } {
  const { stdout, status } = run(sections);
  return { line: stdout.trim().split('\n').at(-1) ?? '', status };
}

const good = () => report('good', { status: 'passed', tests: ['passed', 'passed', 'skipped', 'todo'] });

it('adds up the tests of all reports', () => {
  expect(count('0', `0:${good()}`, `0:${good()}`)).toEqual({ line: '4 passed, 0 failed', status: 0 });
});

it.each([
  [
    'a failed test',
    () => [`1:${report('bad', { status: 'failed', tests: ['passed', 'failed', 'failed'] })}`],
    '1 passed, 2 failed',
  ],
  [
    'a file that did not load',
    () => [`1:${report('load', { status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] })}`],
    '1 passed, 1 failed',
  ],
  [
    'a hook that failed',
    () => [`1:${report('hook', { status: 'failed', tests: ['skipped', 'skipped'] })}`],
    '0 passed, 1 failed',
  ],
  ['an error outside of every test', () => [`1:${good()}`], '2 passed, 1 failed'],
  ['a runner that died before its report', () => [`137:${join(folder, 'absent')}`], '0 passed, 1 failed'],
  ['a run without a single test', () => [`0:${report('empty')}`], '0 passed, 1 failed'],
  ['a failed check', () => [`0:${good()}`, '1'], '2 passed, 1 failed'],
])('counts %s as failed', (_name, sections, line) => {
  expect(count(...sections())).toEqual({ line, status: 1 });
});

it('lists files without a test that ran, and repeats the failures after them', () => {
  const late = report(
    'late',
    { status: 'passed', tests: ['pending'], path: 'test/jobs/claim.test.ts' },
    { status: 'passed', tests: ['pending', 'pending'], path: 'test/jobs/sweep.test.ts' },
    { status: 'failed', tests: ['failed', 'pending'], path: 'test/jobs/accept.test.ts' },
  );
  const failures = join(folder, 'failures.txt');
  writeFileSync(failures, 'FAILED test/jobs/accept.test.ts > accepts a job\n');
  expect(run([`1:${late}`], failures).stdout).toBe(`NOT RUN: test/jobs: claim sweep

===== failures
FAILED test/jobs/accept.test.ts > accepts a job

0 passed, 1 failed
`);
});

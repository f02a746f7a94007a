import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';

/** Characters shown of one error: its message and the first lines of its difference. */
const shownCharacters = 2_000;

/**
 * Appends each failure of a run to the file `BINDERY_TEST_FAILURES`: failed tests, files that did not load,
 * hooks that failed and errors outside tests. `.ci/run` prints that file last, because the middle of a long
 * output is easily lost.
 */
export default class Failures implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    outside: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const file = process.env.BINDERY_TEST_FAILURES;
    if (file === undefined || reason === 'passed') return;
    const failures = [
      ...modules.flatMap(failuresOf),
      ...outside.map((error) => entryOf('an error outside tests', [error])),
    ];
    appendFileSync(file, failures.join(''));
  }
}

function failuresOf(module: TestModule): string[] {
  const file = relative(process.cwd(), module.moduleId);
  const suites = [...module.children.allSuites()];
  return [
    ...[module, ...suites]
      .filter((each) => each.errors().length > 0)
      .map((each) => entryOf('fullName' in each ? `${file} > ${each.fullName}` : file, each.errors())),
    ...[...module.children.allTests('failed')].map((test) =>
      entryOf(`${file} > ${test.fullName}`, test.result().errors ?? []),
    ),
  ];
}

function entryOf(name: string, errors: readonly SerializedError[]): string {
  const texts = errors.map(({ message, diff = '', stack = '' }) =>
    `${message}\n${String(diff)}\n${stack}`.slice(0, shownCharacters),
  );
  return `FAILED ${name}\n${texts.join('\n').replaceAll(/^/gm, '    ')}\n`;
}

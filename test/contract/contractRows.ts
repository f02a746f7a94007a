import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** The answers of an operation to one file of client calls. */
export type ContractRow = { operation: string; statuses: number[]; answers: number; valid: boolean };

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder into which each file of client calls writes its rows. */
    contractRows: string;
  }
}

/**
 * Joins what all files of client calls have seen into one table after the run.
 *
 * The run fails when an operation that is mounted was never called or never succeeded: only if all those
 * files took part, so that one can be run alone.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-contract-'));
  project.provide('contractRows', folder);
  return async () => {
    const written = await readdir(folder);
    const rows = (await Promise.all(written.map((file) => readFile(join(folder, file), 'utf8')))).flatMap(
      (text) => JSON.parse(text) as ContractRow[],
    );
    await rm(folder, { recursive: true });
    const clientFiles = (await readdir(join(import.meta.dirname, 'client'))).filter((file) =>
      file.endsWith('.test.ts'),
    );
    if (clientFiles.every((file) => written.some((name) => name.startsWith(`${file}.`)))) await judge(rows);
  };
}

// Loaded here only: this file stands before every run of the tests, whatever is run.
async function judge(rows: ContractRow[]): Promise<void> {
  const { routes } = await import('../../apps/api/src/routes.ts');
  const { officialSchemas } = await import('../support/http/officialSchemas.ts');
  const official = officialSchemas();
  const expected = routes
    .map(({ spec }) => spec.operationId)
    .filter((operationId) => official.find(operationId));
  const all = new Map(
    expected.map((operation): [string, ContractRow] => [
      operation,
      { operation, statuses: [], answers: 0, valid: true },
    ]),
  );
  for (const row of rows) {
    const before = all.get(row.operation);
    if (!before) continue;
    before.statuses = [...new Set([...before.statuses, ...row.statuses])].toSorted((a, b) => a - b);
    before.answers += row.answers;
    before.valid &&= row.valid;
  }
  console.log('\nOperations, as the published client saw them:');
  console.table([...all.values()].map((row) => ({ ...row, statuses: row.statuses.join(' ') })));
  const failures = [...all.values()].flatMap(({ operation, statuses, answers, valid }) => {
    if (answers === 0) return [`${operation} was never called.`];
    if (!valid) return [`${operation} gave an answer that is not valid.`];
    return statuses.some((status) => status < 300) ? [] : [`${operation} never succeeded.`];
  });
  console.log(
    `${expected.length} operations, ${expected.length - failures.length} called with success and valid.`,
  );
  if (failures.length === 0) return;
  console.error(failures.join('\n'));
  process.exitCode = 1;
}

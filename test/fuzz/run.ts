import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../../apps/api/src/routes.ts';
import { addExamples, examplesFor } from './examples.ts';
import { fuzzConfig } from './fuzzConfig.ts';
import { startFuzzedApi } from './fuzzedApi.ts';
import { installSchemathesis } from './installSchemathesis.ts';
import { seedIds } from './seedIds.ts';

// Sends what the OpenAPI document allows, and what it does not, to a real API process, and compares the
// answers with the document.
//
//     npm run test:fuzz [-- operationId ...]
//
// FUZZ_EXAMPLES (25) cases for each operation, FUZZ_SEED for the same ones again, FUZZ_LOG names a file for
// what the API logs.

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
  'negative_data_rejection',
  'ignored_auth',
  'unsupported_method',
  'allow_header_conformance',
];

const checksLeftOut: Record<string, string> = {
  positive_data_acceptance: 'what a schema allows may still name what is not there, or what is there already',
  use_after_free:
    'a deleted object is shown to those who may restore it, and the ids of others stay free to be used again',
};

const operationsLeftOut: Record<string, string> = {
  getSpacePDF: 'it waits for a worker that is not there',
  getChangeRequestPDF: 'as above',
  importContent: 'as above',
  importContentInChangeRequest: 'as above',
  streamJobEvents: 'it ends when the job ends',
  importFolder: 'it takes an uploaded file',
  describeGitRemote: 'it asks a git server that is not there',
};

/** Operations that a generated request never brings to an end, each with the reason. */
const neverSucceed: Record<string, string> = {
  cancelJob: 'the job has ended',
  getComputedDocument: 'nobody has read the specification that there is',
  getComputedRevision: 'as above',
};

const wanted = process.argv.slice(2);
const fuzzed = routes.filter(
  ({ spec }) =>
    (wanted.length === 0 || wanted.includes(spec.operationId)) && !operationsLeftOut[spec.operationId],
);
const program = await installSchemathesis();
const folder = await mkdtemp(join(tmpdir(), 'bindery-fuzz-'));
const api = await startFuzzedApi();
try {
  const startedMs = performance.now();
  const seeds = await seedIds(api, { routes, fuzzed });
  console.log(`filled the API in ${inSeconds(performance.now() - startedMs)}`);
  for (const [name, reason] of Object.entries({ ...checksLeftOut, ...operationsLeftOut }))
    console.log(`left out: ${name}, because ${reason}`);
  const examples = examplesFor(seeds);
  const { body: document } = await api.call('GET', '/openapi.json');
  addExamples(document, examples);
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(
    join(folder, 'fuzz.toml'),
    fuzzConfig(fuzzed, { seeds, examples, hooks: join(import.meta.dirname, 'hooks.py') }),
  );
  const exitCode = await fuzz(seeds.world.admin.token);
  const failures = await judge();
  if (exitCode !== 0 || failures.length > 0) process.exitCode = 1;
} finally {
  await api.stop();
  if (process.env.FUZZ_LOG) await writeFile(process.env.FUZZ_LOG, api.lines.join('\n'));
  await rm(folder, { recursive: true });
}

async function fuzz(token: string): Promise<number> {
  const only = wanted.flatMap((operationId) => ['--include-operation-id', operationId]);
  const without = Object.keys(operationsLeftOut).flatMap((operationId) => [
    '--exclude-operation-id',
    operationId,
  ]);
  const child = spawn(
    program,
    [
      ...[
        '--config-file',
        'fuzz.toml',
        'run',
        'openapi.json',
        '--url',
        `${api.origin}/v1`,
        '--no-color',
        '-c',
        checks.join(','),
      ],
      ...[
        '-n',
        process.env.FUZZ_EXAMPLES ?? '25',
        '-w',
        '2',
        '--seed',
        process.env.FUZZ_SEED ?? '1',
        '--request-timeout',
        '20',
      ],
      ...['--output-sanitize', 'false', '--phases', 'examples,coverage,fuzzing'],
      ...(wanted.length > 0 ? only : without),
    ],
    {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, FUZZ_TOKEN: token, FUZZ_STATUSES: join(folder, 'statuses.json') },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** A run counts when operations were reached, not only refused. */
async function judge(): Promise<string[]> {
  const seen = JSON.parse(await readFile(join(folder, 'statuses.json'), 'utf8')) as Record<
    string,
    Record<string, number>
  >;
  const isSuccess = (status: string) => status.startsWith('2') || status === '304';
  const reached = fuzzed.filter(({ spec }) => Object.keys(seen[spec.operationId] ?? {}).some(isSuccess));
  const failures = fuzzed
    .filter((route) => !reached.includes(route) && !neverSucceed[route.spec.operationId])
    .map(
      ({ spec }) =>
        `${spec.operationId} never succeeded: ${JSON.stringify(seen[spec.operationId] ?? 'not called')}`,
    );
  const cases = Object.values(seen).flatMap((statuses) => Object.values(statuses));
  console.log(
    `${cases.reduce((sum, count) => sum + count, 0)} requests to ${fuzzed.length} operations, ${reached.length} of them with success.`,
  );
  for (const failure of failures) console.error(failure);
  const logged = api.lines.filter((line) => line.includes('"level":50'));
  if (logged.length > 0) console.error(`The API logged ${logged.length} errors, the first: ${logged[0]}`);
  return failures;
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(0)} s`;
}

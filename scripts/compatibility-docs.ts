import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { routes } from '../apps/api/src/routes.ts';
import { officialPatches } from '../test/support/http/officialPatches.ts';

const file = 'docs/compatibility.md';

type Operation = { operationId: string; method: string; path: string; isDeprecated: boolean };

/**
 * Renders docs/compatibility.md: each operation of the newest published client and each route, side by side.
 * The client's package is the source of its operations, so that the page follows both.
 */
export function compatibilityDocs(): string {
  const client = clientOperations();
  const own = routes.map(({ method, path, spec }) => ({
    operationId: spec.operationId,
    request: `${method.toUpperCase()} /v1${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    summary: spec.summary,
  }));
  const known = new Set(client.map(({ operationId }) => operationId));
  const answered = new Set(own.map(({ operationId }) => operationId));
  const missing = client.filter(({ operationId }) => !answered.has(operationId));
  const shared = own.filter(({ operationId }) => known.has(operationId));
  const added = own.filter(({ operationId }) => !known.has(operationId));
  return [
    preface,
    `| Operations | Number |\n|---|---|`,
    `| in both | ${shared.length} |`,
    `| only in Bindery | ${added.length} |`,
    `| only in GitBook's client | ${missing.length} |\n`,
    `## In both\n\n${inBoth}\n`,
    tableOf(shared),
    `\n## Differences in answers\n\n${differences}\n`,
    '| Operations | Difference |\n|---|---|',
    ...officialPatches.map(
      ({ operations, difference }) => `| ${operations.map((id) => `\`${id}\``).join(', ')} | ${difference} |`,
    ),
    `\n## Only in Bindery\n\n${onlyHere}\n`,
    tableOf(added),
    `\n## Only in GitBook's client\n\n${onlyThere}\n`,
    '| Request | Operation |\n|---|---|',
    ...missing.map(
      ({ method, path, operationId, isDeprecated }) =>
        `| \`${method} /v1${path}\` | \`${operationId}\`${isDeprecated ? ', deprecated' : ''} |`,
    ),
    '',
  ].join('\n');
}

function tableOf(rows: readonly { operationId: string; request: string; summary: string }[]): string {
  const lines = rows.map(
    ({ operationId, request, summary }) => `| \`${request}\` | \`${operationId}\` | ${summary} |`,
  );
  return ['| Request | Operation | Does |', '|---|---|---|', ...lines].join('\n');
}

/** Method, path and id of each operation of the client, sorted by path. */
function clientOperations(): Operation[] {
  const path = createRequire(import.meta.url)
    .resolve('@gitbook/api')
    .replace(/dist\/.*$/, 'spec/openapi.json');
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; deprecated?: boolean }>>;
  };
  return Object.entries(paths)
    .flatMap(([place, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, deprecated }]) =>
        operationId === undefined
          ? []
          : [{ operationId, method: method.toUpperCase(), path: place, isDeprecated: deprecated === true }],
      ),
    )
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en'));
}

const preface = `# Compatibility with GitBook

Written by \`npm run compatibility-docs\` from the routes and from the newest published client; change those,
not this page.

The published client \`@gitbook/api\` works without changes: \`new GitBookAPI({ endpoint:
'http://127.0.0.1:3000', authToken: TOKEN })\`. So does GitBook's reader for published sites. Paths,
parameters, bodies, answers and status codes are those of the client's documents.
`;

const inBoth = 'The tests call these with the client, and compare the answers with its schemas.';

const differences =
  "Answers of these operations differ from the client's schemas. Please report any other difference as a bug.";

const onlyHere =
  'Jobs, webhooks, git hooks and tokens of a self-hosted platform, and operations of older clients.';

const onlyThere =
  'These answer 404. Most belong to services of GitBook itself: integrations, AI, advertisements, billing.';

if (import.meta.main) {
  writeFileSync(file, compatibilityDocs());
  console.log(`${file} written`);
}

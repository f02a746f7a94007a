import type { Route } from '../../apps/api/src/http/scope.ts';
import { placesOf } from '../support/world.ts';
import type { Example } from './examples.ts';
import type { Seeds } from './seedIds.ts';

const refusals = ['400', '401', '403', '404', '405', '406', '409', '412', '413', '415', '422', '429', '431'];

/** The fuzzer's configuration, in TOML: whose token it has, and which ids each operation gets. */
export function fuzzConfig(
  routes: readonly Route[],
  { seeds, examples, hooks }: { seeds: Seeds; examples: Record<string, Example>; hooks: string },
): string {
  const lines = [
    'warnings = { fail-on = ["missing_test_data", "missing_auth"] }',
    'continue-on-failure = true',
    `hooks = ${toml(hooks)}`,
    ...['[generation]', 'with-security-parameters = false'],
    // It would also use the ids that it finds in answers, and delete what everything else hangs on.
    ...[
      '[phases.coverage.extra-data-sources]',
      'responses = false',
      '[phases.fuzzing.extra-data-sources]',
      'responses = false',
    ],
    // 431 is a refusal too: of a URL that is longer than a server reads.
    ...['[checks.negative_data_rejection]', `expected-statuses = [${refusals.map(toml).join(', ')}]`],
    ...['[auth.openapi.token]', 'bearer = "${FUZZ_TOKEN}"'],
    ...Object.entries(seeds.destroyed).flatMap(([place, ids]) => [
      `[dictionaries.${toml(dictionaryOf(place))}]`,
      `values = [${ids.map(toml).join(', ')}]`,
    ]),
    ...routes.flatMap((route) =>
      operationLines(route, { seeds, example: examples[route.spec.operationId] ?? {} }),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function operationLines(
  { spec, path, kind }: Route,
  { seeds, example }: { seeds: Seeds; example: Example },
): string[] {
  const parameters = placesOf(path).map((place) => {
    const name = place.slice(Math.max(place.lastIndexOf(':'), place.lastIndexOf('*')) + 1);
    const key = toml(`path.${name}`);
    if (kind === 'delete' && path === place)
      return `${key} = { dictionary = ${toml(dictionaryOf(place))}, probability = 0.9 }`;
    return `${key} = ${toml(example.ids?.[name] ?? seeds.world.places[place] ?? '')}`;
  });
  for (const [name, value] of Object.entries(example.query ?? {}))
    parameters.push(`${toml(`query.${name}`)} = ${toml(value)}`);
  if (parameters.length === 0) return [];
  return [
    '[[operations]]',
    `include-operation-id = ${toml(spec.operationId)}`,
    `parameters = { ${parameters.join(', ')} }`,
  ];
}

function dictionaryOf(place: string): string {
  return place.replaceAll(/[^A-Za-z]+/g, '-').replaceAll(/^-|-$/g, '');
}

/** A basic string of TOML is written as one of JSON. */
function toml(text: string): string {
  return JSON.stringify(text);
}

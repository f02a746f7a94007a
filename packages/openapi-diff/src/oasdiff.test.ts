import { expect, it } from 'vitest';
import oasdiff from './fixtures/oasdiff.json' with { type: 'json' };
import { operationFixtures } from './fixtures/operationFixtures.ts';
import { pairs } from './fixtures/pairs.ts';
import { schemaFixtures } from './fixtures/schemaFixtures.ts';

/** Rules that are not breaking where oasdiff 1.11.7 reports an error, each with the reason. */
const milder: Readonly<Record<string, string>> = {
  'request-type-widened': 'The API accepts every request that it accepted before.',
  'response-type-narrowed': 'The API returns nothing that clients do not know.',
  'request-became-nullable': 'oasdiff takes the list of types of 3.1 for another type.',
  'response-became-not-nullable': 'oasdiff takes the list of types of 3.1 for another type.',
  'request-enum-value-added': 'oasdiff does not read const, so it takes the enum for a new one.',
  'request-min-length-set': 'A new limit often only writes down what the API enforced before.',
  'request-one-of-added': 'The old schema is one of the alternatives.',
  'response-one-of-removed': 'The new schema is one of the alternatives.',
  'response-alternatives-introduced': 'Any value was possible before.',
  'request-alternatives-dropped': 'Any value is accepted now.',
  'operation-sunset-missing': 'The operation still works as before.',
  'operation-sunset-invalid': 'The operation still works as before.',
  'parameter-default-added': 'Requests stay valid; some get another answer.',
  'parameter-default-changed': 'Requests stay valid; some get another answer.',
  'parameter-default-removed': 'Requests stay valid; some get another answer.',
  'body-media-type-widened': 'The new range includes the old media type.',
  'response-status-generalized': 'The new range includes the old status.',
};

it('rules are breaking where oasdiff reports an error, or give a reason', () => {
  const found = new Set<string>();
  schemaFixtures.forEach(([rule, severities], index) => {
    const [request, response] = severities.split(' ');
    const answers = oasdiff.schemas[index] ?? [];
    if (request !== 'E' && hasError(answers, 'request')) found.add(`request-${rule}`);
    if (response !== 'E' && hasError(answers, 'response')) found.add(`response-${rule}`);
  });
  operationFixtures.forEach(([rule, severity], index) => {
    if (severity !== 'E' && hasError(oasdiff.operations[index] ?? [], '')) found.add(rule);
  });
  expect([...found].sort()).toEqual(Object.keys(milder).sort());
});

it('pairs are breaking where oasdiff reports an error, or give a reason', () => {
  const recorded: Record<string, string[]> = oasdiff.pairs;
  const unexplained = pairs.filter(({ name, verdict, why }) => {
    const isBreaking = verdict.some((line) => line.startsWith('E'));
    return isBreaking !== hasError(recorded[name] ?? [], '') && why === undefined;
  });
  expect(unexplained.map(({ name }) => name)).toEqual([]);
});

it('oasdiff was asked about every fixture', () => {
  expect(oasdiff.schemas).toHaveLength(schemaFixtures.length);
  expect(oasdiff.operations).toHaveLength(operationFixtures.length);
  expect(Object.keys(oasdiff.pairs)).toEqual(pairs.map(({ name }) => name));
});

function hasError(answers: readonly string[], prefix: string): boolean {
  return answers.some((answer) => answer.startsWith(`E ${prefix}`));
}

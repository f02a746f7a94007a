import { describe, expect, it } from 'vitest';
import { compareSpecifications, rules } from '../index.ts';
import { documentOfSchema, severityOf, type Letter } from '../fixtures/documents.ts';
import { operationFixtures } from '../fixtures/operationFixtures.ts';
import { schemaFixtures } from '../fixtures/schemaFixtures.ts';

describe('rules of schemas, in requests and responses', () => {
  for (const [rule, severities, before, after] of schemaFixtures) {
    it(`${rule} ${severities}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`, () => {
      const { changes } = compareSpecifications(documentOfSchema(before), documentOfSchema(after));
      const [request, response] = severities.split(' ') as [Letter, Letter];
      expect(changes.map((change) => `${change.rule} ${change.severity}`).sort()).toEqual([
        `request-${rule} ${severityOf[request]}`,
        `response-${rule} ${severityOf[response]}`,
      ]);
    });
  }
});

describe('rules of other parts', () => {
  for (const [rule, severity, before, after] of operationFixtures) {
    it(`${rule} ${severity}`, () => {
      const { changes } = compareSpecifications(before, after);
      expect(changes.map((change) => `${change.rule} ${change.severity}`)).toEqual([
        `${rule} ${severityOf[severity]}`,
      ]);
    });
  }
});

it('every rule has a fixture', () => {
  const covered = new Set([
    ...schemaFixtures.flatMap(([rule]) => [`request-${rule}`, `response-${rule}`]),
    ...operationFixtures.map(([rule]) => rule),
  ]);
  expect(Object.keys(rules).filter((rule) => !covered.has(rule))).toEqual([]);
});

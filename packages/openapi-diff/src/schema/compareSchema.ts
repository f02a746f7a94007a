import type { SchemaPair } from '../engine/scope.ts';
import { compareAlternatives } from './compare/alternatives.ts';
import { compareDiscriminators } from './compare/discriminators.ts';
import { compareItems, compareKeywords } from './compare/keywords.ts';
import { compareLimits } from './compare/limits.ts';
import { compareAdditionalProperties, compareProperties } from './compare/properties.ts';
import { compareTypes } from './compare/types.ts';
import { compareDefaults, compareEnums, comparePatterns } from './compare/values.ts';
import { readSchema } from './form/readSchema.ts';
import { passUnchanged } from './pushSchemas.ts';

/** Compares two schemas; the schemas inside of them are pushed to the queue. */
export function compareSchema({ scope, before, after }: SchemaPair): void {
  // Inline schemas were looked at before they came into the queue.
  if (before.isShared && passUnchanged(scope, before, after)) return;
  const forms = { before: readSchema(scope.run.before, before), after: readSchema(scope.run.after, after) };
  if (compareAlternatives(scope, forms, { before, after }) === 'done') return;
  if (compareTypes(scope, forms) === 'done') return;
  const inside = scope.isParameter ? { ...scope, isParameter: false } : scope;
  if (!scope.isParameter) compareDefaults(scope, forms);
  compareEnums(scope, forms);
  comparePatterns(scope, forms);
  compareLimits(scope, forms);
  compareProperties(inside, forms);
  compareAdditionalProperties(inside, forms);
  compareItems(inside, forms);
  compareDiscriminators(inside, forms);
  compareKeywords(inside, forms);
}

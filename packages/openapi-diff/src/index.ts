export { compareSpecifications, type CompareOptions } from './compareSpecifications.ts';
export { rules, type RuleId } from './rules/rules.ts';
export type {
  Change,
  Direction,
  Operation,
  Place,
  Severity,
  SpecificationDiff,
} from './specificationDiff.ts';

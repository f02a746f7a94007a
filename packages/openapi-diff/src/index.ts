export { compareSpecifications, type CompareOptions } from './compareSpecifications.ts';
export { diffAsHtml } from './reports/diffAsHtml.ts';
export { diffAsMarkdown } from './reports/diffAsMarkdown.ts';
export { ofKnownRules, rules, type RuleId } from './rules/rules.ts';
export type {
  Change,
  Direction,
  Operation,
  Place,
  Severity,
  SpecificationDiff,
} from './specificationDiff.ts';

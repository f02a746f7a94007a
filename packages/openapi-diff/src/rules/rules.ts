import type { Direction } from '../specificationDiff.ts';
import { bodyRules, parameterRules, responseRules, securityRules } from './messageRules.ts';
import { operationRules } from './operationRules.ts';
import type { Rule } from './rule.ts';
import { schemaRules } from './schemaRules.ts';

export type SchemaRule = keyof typeof schemaRules;
export type RuleId = keyof typeof plainRules | `${Direction}-${SchemaRule}`;

const plainRules = {
  ...operationRules,
  ...parameterRules,
  ...bodyRules,
  ...responseRules,
  ...securityRules,
} satisfies Record<string, Rule>;

/** All rules by their ids, which callers name to change a severity. */
export const rules: Readonly<Record<RuleId, Rule>> = {
  ...plainRules,
  ...(Object.fromEntries([...rulesOf('request'), ...rulesOf('response')]) as Record<
    `${Direction}-${SchemaRule}`,
    Rule
  >),
};

/** Leaves out rules that do not exist: a stored setting may name one of an older release. */
export function ofKnownRules<T>(byRule: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(byRule).filter(([id]) => Object.hasOwn(rules, id)));
}

function rulesOf(direction: Direction): [string, Rule][] {
  return Object.entries(schemaRules).map(([name, rule]) => [
    `${direction}-${name}`,
    { severity: rule[direction], direction, message: rule.message },
  ]);
}

import type { AdaptiveJsonSchema, VisitorClaim } from '@bindery/contract';
import { conditionProblem } from './parseCondition.ts';

/**
 * Lists the conditions that an adaptive schema suggests: both values of each boolean claim, and each
 * permitted value of a text claim.
 *
 * Free texts, numbers and lists suggest none, nor do claims whose condition would be too long.
 */
export function templateConditions({
  properties,
}: AdaptiveJsonSchema): { description: string; condition: string }[] {
  return conditionsOf(properties, []).filter(({ condition }) => conditionProblem(condition) === undefined);
}

function conditionsOf(
  properties: AdaptiveJsonSchema['properties'],
  above: readonly string[],
): { description: string; condition: string }[] {
  return Object.entries(properties).flatMap(([name, claim]) => {
    const path = [...above, name];
    if (claim.type === 'object') return conditionsOf(claim.properties, path);
    return valuesOf(claim).map((value) => ({
      description: `${path.join('.')} is ${value}`,
      condition: `visitor.claims${path.map(member).join('')} == ${typeof value === 'string' ? quoted(value) : value}`,
    }));
  });
}

function valuesOf(claim: VisitorClaim): (string | boolean)[] {
  if (claim.type === 'boolean') return [true, false];
  return claim.type === 'string' ? [...new Set(claim.enum)] : [];
}

function member(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${quoted(name)}]`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

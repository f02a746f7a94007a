import type { DocumentNode } from '@bindery/contract';
import { conditionLimits } from '../condition/parseCondition.ts';

/** A document with more of them is for members only from there on. */
const maxChains = 50;

/**
 * Numbers the conditions under which parts of one document stand, from 0: each a chain of conditions, outermost first, all of which a visitor has to
 * meet. What stands on many chains is kept by their numbers, so that no record of a document grows with how deep its blocks stand in each other.
 */
export type ConditionChains = {
  chains: string[][];
  /** undefined for a chain that no visitor meets, or one too many */
  numberOf: (chain: readonly string[]) => number | undefined;
};

export function numberChains(): ConditionChains {
  const chains: string[][] = [];
  const numbers = new Map<string, number>();
  return {
    chains,
    numberOf: (chain) => {
      if (chain.some((condition) => condition.length > conditionLimits.length)) return undefined;
      const key = JSON.stringify(chain);
      const known = numbers.get(key);
      if (known !== undefined || chains.length >= maxChains) return known;
      numbers.set(key, chains.length);
      return chains.push([...chain]) - 1;
    },
  };
}

/** The conditions under which what is inside of a node stands. */
export function conditionsIn(node: DocumentNode, outer: readonly string[]): readonly string[] {
  if (node.object !== 'block' || node.type !== 'if') return outer;
  return [...outer, expressionOf(node)];
}

/** The condition of a block, or the expression of an inline. */
export function expressionOf({ data }: Exclude<DocumentNode, { object: 'text' }>): string {
  const expression = data?.['expression'];
  return typeof expression === 'string' ? expression : '';
}

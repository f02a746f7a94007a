import type { DocumentNode } from '@bindery/contract';
import { conditionLimits } from '../condition/parseCondition.ts';

/** Beyond this number, parts of a document are visible to members only. */
const maxChains = 50;

/**
 * Numbers the condition chains in one document, from 0. A chain lists the conditions around a part, outermost
 * first; a visitor has to meet all of them. Records refer to chains by number, so that their size does not
 * grow with the nesting of blocks.
 */
export type ConditionChains = {
  chains: string[][];
  /** undefined for a chain that no visitor meets, or one beyond the maximum */
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

/** Returns the chain for the content of a node. */
export function conditionsIn(node: DocumentNode, outer: readonly string[]): readonly string[] {
  if (node.object !== 'block' || node.type !== 'if') return outer;
  return [...outer, expressionOf(node)];
}

/** Returns the condition of a block, or the expression of an inline. */
export function expressionOf({ data }: Exclude<DocumentNode, { object: 'text' }>): string {
  const expression = data?.['expression'];
  return typeof expression === 'string' ? expression : '';
}

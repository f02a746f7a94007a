import { limits } from '../limits.ts';
import type { Operation } from '../specificationDiff.ts';
import type { Owner } from './scope.ts';

/** Finds the operations that lead to the owners of a finding, in the order of the document. */
export function createReach(): (owners: Iterable<Owner>) => (Operation & { order: number })[] {
  let steps = 0;
  const ofOne = new Map<Owner, ReturnType<typeof search>>();

  function search(from: Iterable<Owner>): (Operation & { order: number })[] {
    const seen = new Set(from);
    const operations = [];
    // A Set also yields what is added to it during the loop.
    for (const { operation, parents } of seen) {
      if (operation) operations.push(operation);
      for (const parent of parents) {
        if ((steps += 1) > limits.reachSteps) break;
        seen.add(parent);
      }
    }
    return operations.sort((a, b) => a.order - b.order);
  }

  return (owners) => {
    const [first, ...others] = owners;
    if (first === undefined || others.length > 0) return search([...(first ? [first] : []), ...others]);
    const known = ofOne.get(first) ?? search([first]);
    ofOne.set(first, known);
    return known;
  };
}

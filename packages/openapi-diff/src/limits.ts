/** Bounds that keep the comparison of hostile documents short; real documents stay far below. */
export const limits = {
  /** Pairs of schemas. Two rings of 1,000 and 1,001 schemas have a million. */
  comparisons: 1_000_000,
  /** Changes that a diff holds. */
  changes: 20_000,
  /** Operations that a change lists. */
  operationsOfChange: 100,
  /** Steps from changed schemas back to operations. After these, `operationCount` can be too low. */
  reachSteps: 20_000_000,
  /** References that lead to one another, and `allOf` inside of `allOf`; deeper parts accept any value. */
  nesting: 100,
  /** Properties that several parts of an `allOf` define, inside of one another. */
  gatheredNesting: 3,
  /** Schemas made for such properties, in one document. */
  gathered: 10_000,
  /** Parts of a `oneOf` or `anyOf` that are compared each with each because neither name nor title match. */
  unnamedParts: 60,
  /** Steps of one comparison of unnamed parts. */
  equalitySteps: 2_000,
} as const;

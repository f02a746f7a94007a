/** A block, row or line of one side. */
export type Member<Value> = {
  value: Value;
  /** Equal for equal members. */
  signature: string;
  /** Members of different kinds are never taken for one that changed. */
  kind: string;
  text: () => string;
};

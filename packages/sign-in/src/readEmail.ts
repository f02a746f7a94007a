/** ASCII only: lower case turns some other letters into ASCII ones, and so one address into another. */
const shape = /^[\x21\x23-\x3b\x3d\x3f\x41-\x7e]{1,64}@[a-zA-Z0-9.-]{1,255}$/;

/** The e-mail address in a value that a provider sent, in lower case; undefined for anything else. */
export function readEmail(value: unknown): string | undefined {
  return typeof value === 'string' && shape.test(value) ? value.toLowerCase() : undefined;
}

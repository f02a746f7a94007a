/**
 * Tells why the JSON in these bytes is too deep or too large, without parsing it: one pass that skips strings
 * and counts brackets and commas. Does not check that it is valid JSON; the parser does.
 */
export function jsonShapeProblem(
  bytes: Uint8Array,
  limits: { depth: number; nodes: number },
): string | undefined {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (isInString) {
      if (byte === backslash) i += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma) values += 1;
    else if (byte === openBracket || byte === openBrace) {
      values += 1;
      depth += 1;
      if (depth > limits.depth) return `is nested more than ${limits.depth} deep`;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    if (values > limits.nodes) return `has more than ${limits.nodes} values`;
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * What makes the JSON in these bytes too deep or too large, told without parsing it: one pass that skips
 * strings and counts brackets and commas. Whether it is JSON at all, the parser says.
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

import { jsonShapeProblem } from './jsonShape.ts';

/** Limits of a JSON body: bytes after decompression, nesting depth, number of values. */
export type BodyLimits = { bytes: number; depth: number; nodes: number };

/**
 * A JSON body.
 *
 * `digest` is the SHA-256 of its bytes, in base64url. Only large bodies have one: making it later, of their
 * value, would block the process.
 */
export type JsonBody = { value: unknown; digest?: string };

export type ParsedBytes = JsonBody | { problem: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body, or says what is wrong with it. Measures nesting before parsing. */
export function readJsonBytes(bytes: Uint8Array, limits: BodyLimits): ParsedBytes {
  const problem = jsonShapeProblem(bytes, limits);
  if (problem) return { problem };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problem: 'is not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'is not JSON' };
  }
}

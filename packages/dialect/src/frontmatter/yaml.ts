import { LRUCache } from 'lru-cache';
import { isMap, isScalar, isSeq, Lexer, parseDocument, type Document } from 'yaml';

/** A YAML value with its text as written, so that a title such as `1.10` is preserved. */
export type YamlValue = YamlScalar | { kind: 'list'; values: YamlValue[] } | YamlMap;
export type YamlScalar = { kind: 'scalar'; value: string | number | boolean | null; text: string };
export type YamlMap = { kind: 'map'; members: Map<string, YamlValue> };

export type YamlReading = { value: YamlValue } | { problem: string };

const maxDepth = 32;

/**
 * Reads untrusted YAML: core schema, no aliases, no merge keys, no custom tags, limited size and depth. Never
 * throws; `problem` describes the error without quoting the text.
 */
export function readYaml(source: Uint8Array, maxBytes: number): YamlReading {
  if (source.length > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
  // Zero-width characters come with examples copied from web pages, and would make a key a different one.
  const text = new TextDecoder().decode(source).replace(/[\u200B\uFEFF\u2060]/g, '');
  const parsed = parseYamlOnce(text, maxBytes);
  if ('problem' in parsed) return parsed;
  const [error] = parsed.document.errors;
  if (error) return { problem: `it is not valid YAML (${error.code})` };
  try {
    return { value: valueOf(parsed.document.contents, 0) };
  } catch (error) {
    if (error instanceof UnreadableYaml) return { problem: error.message };
    throw error;
  }
}

/**
 * Parses untrusted YAML to the parser's nodes, including errors. The result is cached and shared, so it must
 * not be changed: editing a page reads its YAML in several ways, but parses it once.
 */
export function parseYamlOnce(text: string, maxBytes: number): ParsedYaml {
  if (text.length > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
  // Only shorter texts are worth caching.
  if (text.length > keptLength) return parseYaml(text, maxBytes);
  const key = `${maxBytes} ${text}`;
  const known = lately.get(key);
  if (known) return known;
  const parsed = parseYaml(text, maxBytes);
  lately.set(key, parsed);
  return parsed;
}

type ParsedYaml = { document: Document.Parsed } | { problem: string };

const keptLength = 64_000;
/** Enough for an edit: the given frontmatter, the page's old one, their merge, and the edited result. */
const lately = new LRUCache<string, ParsedYaml>({ max: 4 });

function parseYaml(text: string, maxBytes: number): ParsedYaml {
  if (hasMoreLexemes(text, Math.ceil(maxBytes / bytesPerLexeme)))
    return { problem: 'it has too many keys and values' };
  try {
    return {
      document: parseDocument(text, {
        schema: 'core',
        merge: false,
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
      }),
    };
  } catch (error) {
    // Deeply nested input overflows the parser's stack.
    if (error instanceof RangeError) return { problem: 'it nests too deeply' };
    throw error;
  }
}

/** The fewest bytes per lexeme in a file of usual lines. The parser takes time for each lexeme. */
const bytesPerLexeme = 3;

function hasMoreLexemes(text: string, most: number): boolean {
  let count = 0;
  for (const _ of new Lexer().lex(text)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/** Returns the members of a map; none for any other value. */
export function membersOf(value: YamlValue | undefined): ReadonlyMap<string, YamlValue> {
  return value?.kind === 'map' ? value.members : new Map();
}

/** Tells whether the value is absent, `null` or an empty text, as for a key without a value. */
export function isBlank(value: YamlValue | undefined): boolean {
  return (
    value === undefined || (value.kind === 'scalar' && (value.value === null || value.text.trim() === ''))
  );
}

/** Returns a scalar's text as written, trimmed. */
export function textOf(value: YamlValue | undefined): string | undefined {
  return value?.kind === 'scalar' && value.value !== null ? value.text.trim() : undefined;
}

export function booleanOf(value: YamlValue | undefined): boolean | undefined {
  if (value?.kind !== 'scalar') return undefined;
  if (typeof value.value === 'boolean') return value.value;
  if (value.value === 'true') return true;
  return value.value === 'false' ? false : undefined;
}

export function numberOf(value: YamlValue | undefined): number | undefined {
  return value?.kind === 'scalar' && typeof value.value === 'number' && Number.isFinite(value.value)
    ? value.value
    : undefined;
}

class UnreadableYaml extends Error {}

function valueOf(node: unknown, depth: number): YamlValue {
  if (depth > maxDepth) throw new UnreadableYaml('it nests too deeply');
  if (node === null || node === undefined) return { kind: 'scalar', value: null, text: '' };
  if (isScalar(node)) return scalarOf(node.value, node.source);
  if (isSeq(node)) return { kind: 'list', values: node.items.map((item) => valueOf(item, depth + 1)) };
  if (isMap(node)) {
    const members = new Map<string, YamlValue>();
    for (const { key, value } of node.items) {
      const name = valueOf(key, depth + 1);
      if (name.kind !== 'scalar') throw new UnreadableYaml('it has a key that is no text');
      members.set(name.text.trim(), valueOf(value, depth + 1));
    }
    return { kind: 'map', members };
  }
  throw new UnreadableYaml('it uses aliases, which are not read');
}

function scalarOf(value: unknown, source: string | undefined): YamlScalar {
  if (typeof value === 'string') return { kind: 'scalar', value, text: value };
  if (typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'scalar', value, text: source ?? String(value) };
  return { kind: 'scalar', value: null, text: '' };
}

import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  mergeTag,
  parseEvents,
  YAMLException,
  type Event,
} from 'js-yaml';
import type { ReadLimits } from '../face.ts';
import { countKeys } from './jsonText.ts';
import { measure } from './measure.ts';
import { Unreadable } from './unreadable.ts';

export type Parsed = {
  value: unknown;
  format: 'json' | 'yaml';
  /** Some object names a member twice, of which the last one counts. */
  hasDuplicateKeys: boolean;
};

const schema = CORE_SCHEMA.withTags(mergeTag);

/**
 * Parses JSON or YAML.
 *
 * @throws Unreadable  for anything else, and for what exceeds the limits
 */
export function parse(text: string, limits: ReadLimits): Parsed {
  refuseForeign(text);
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  const { value, format, keys } = json ?? parseYaml(text, limits);
  const measured = measure(value, limits);
  return { value, format, hasDuplicateKeys: keys !== measured.ownKeys };
}

/** Texts that YAML would read as one long string, or refuse with a message that helps nobody. */
function refuseForeign(text: string): void {
  const begin = text.slice(0, 1_000).trimStart();
  if (begin === '' && text.trim() === '') throw new Unreadable('empty', 'The document is empty.');
  if (/^<(?:!doctype html|html|head|body)\b/i.test(begin)) {
    const hint = 'check the URL, which may lead to a page for readers or ask for a login';
    throw new Unreadable('html', `The document is an HTML page, not a specification; ${hint}.`);
  }
  if (begin.startsWith('<'))
    throw new Unreadable('xml', 'The document is XML; a specification is JSON or YAML.');
  if (begin.startsWith('#%RAML'))
    throw new Unreadable('raml', 'The document is RAML; convert it to OpenAPI 3.');
  if (/^FORMAT:\s*1A\b/.test(begin))
    throw new Unreadable('api-blueprint', 'The document is API Blueprint; convert it to OpenAPI 3.');
  const zero = text.indexOf('\0');
  if (zero >= 0)
    throw new Unreadable('binary', 'The document is not text; a specification is JSON or YAML.', zero);
}

type Read = { value: unknown; format: 'json' | 'yaml'; keys: number | undefined };

/** Undefined for what is no JSON; YAML may still read it, for example with comments. */
function parseJson(text: string): Read | undefined {
  try {
    return { value: JSON.parse(text), format: 'json', keys: countKeys(text) };
  } catch {
    return undefined;
  }
}

function parseYaml(text: string, limits: ReadLimits): Read {
  try {
    const events = parseEvents(text, { maxDepth: limits.depth });
    // `json` keeps the last of two equal keys instead of failing: they are reported as findings.
    const options = { source: text, schema, maxAliases: limits.aliases, json: true };
    const documents = constructFromEvents(events, options).filter((document) => document !== null);
    if (documents.length > 1) {
      const message = `The YAML has ${documents.length} documents, separated by ---; a specification is one.`;
      throw new Unreadable('several-documents', message);
    }
    return { value: documents[0] ?? null, format: 'yaml', keys: keysOf(events, text) };
  } catch (error) {
    if (error instanceof YAMLException) {
      const kind = /^\s*[{[]/.test(text) ? 'JSON' : 'YAML';
      const offset = Math.min(error.mark?.position ?? 0, text.length);
      throw new Unreadable('syntax', `This is no valid ${kind}: ${error.reason}.`, offset);
    }
    throw error;
  }
}

/**
 * The number of keys in all mappings; undefined where aliases or merged keys make the number in the values
 * another one.
 */
function keysOf(events: readonly Event[], text: string): number | undefined {
  let keys = 0;
  const open: { isMapping: boolean; children: number }[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.ALIAS) return undefined;
    if (event.type === EVENT_ID.SCALAR && text.startsWith('<<', event.valueStart)) return undefined;
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed?.isMapping) keys += closed.children / 2;
      continue;
    }
    const parent = open.at(-1);
    if (parent) parent.children += 1;
    if (event.type !== EVENT_ID.SCALAR)
      open.push({ isMapping: event.type === EVENT_ID.MAPPING, children: 0 });
  }
  return keys;
}

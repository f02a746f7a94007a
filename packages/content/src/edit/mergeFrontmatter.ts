import { isMap, isScalar } from 'yaml';
import { yamlOfFrontmatter, parseYamlOnce } from '@bindery/dialect/frontmatter';
import { contentLimits } from '@bindery/dialect/repository-format';

const byteOrderMark = Buffer.from('\uFEFF');

/**
 * Merges given frontmatter, without a byte order mark, into a page's old one: the given bytes unchanged,
 * followed by the old keys that they do not name, as written. A file that has a byte order mark keeps it.
 */
export function mergeFrontmatter(old: Uint8Array, given: Uint8Array): Uint8Array {
  if (yamlOfFrontmatter(given).length === 0) return old;
  const merged = withOldKeys(old, given);
  const hasMark = byteOrderMark.equals(old.subarray(0, byteOrderMark.length));
  return hasMark ? Buffer.concat([byteOrderMark, merged]) : merged;
}

function withOldKeys(old: Uint8Array, given: Uint8Array): Uint8Array {
  const yaml = yamlOfFrontmatter(given);
  const named = entriesOf(yaml);
  const before = entriesOf(yamlOfFrontmatter(old));
  // Frontmatter that cannot be parsed is replaced as a whole.
  if (!named || !before) return given;
  const names = new Set(named.map(({ key }) => key));
  const kept = before.filter(({ key }) => !names.has(key)).map(({ text }) => text);
  if (kept.length === 0) return given;
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const end = yaml.byteOffset - given.byteOffset + yaml.length;
  const head = bytes.subarray(0, end);
  const isOpen = head.length > 0 && !/[\r\n]$/.test(head.toString('latin1').slice(-1));
  return Buffer.concat([head, Buffer.from((isOpen ? '\n' : '') + kept.join('')), bytes.subarray(end)]);
}

/** The keys of a YAML mapping in block style, each with its lines; undefined for other YAML. */
function entriesOf(yaml: Uint8Array): { key: string; text: string }[] | undefined {
  const text = new TextDecoder().decode(yaml);
  if (text.trim() === '') return [];
  const parsed = parseYamlOnce(text, contentLimits.yamlBytes);
  if ('problem' in parsed) return undefined;
  const { contents, errors } = parsed.document;
  if (errors.length > 0 || !isMap(contents) || contents.flow) return undefined;
  const starts = contents.items.map(({ key }) =>
    isScalar(key) && key.range ? { key: String(key.source ?? key.value), at: key.range[0] } : undefined,
  );
  if (
    starts.some(
      (start) => start === undefined || (start.at > 0 && !/[\r\n]/.test(text[start.at - 1] as string)),
    )
  )
    return undefined;
  return starts.map((start, index) => {
    const { key, at } = start as { key: string; at: number };
    const lines = text.slice(at, starts[index + 1]?.at);
    return { key, text: /[\r\n]$/.test(lines) ? lines : `${lines}\n` };
  });
}

/** Lists the keys of frontmatter, including those without a value. */
export function keysOf(frontmatter: Uint8Array): ReadonlySet<string> {
  return new Set(entriesOf(yamlOfFrontmatter(frontmatter))?.map(({ key }) => key));
}

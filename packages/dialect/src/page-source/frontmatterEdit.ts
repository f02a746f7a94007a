import { isMap, isScalar, parseDocument, Scalar, stringify, type Pair, type YAMLMap } from 'yaml';
import { readFrontmatter } from '../frontmatter/frontmatter.ts';
import { yamlOfFrontmatter } from '../frontmatter/splitFrontmatter.ts';
import { contentLimits } from '../contentLimits.ts';
import type { PageFrontmatter } from '../frontmatter/frontmatterFields.ts';
import { parseYamlOnce, readYaml, type YamlValue } from '../frontmatter/yaml.ts';

/** The values to write, by key. An empty text and `false` clear a key. */
export type FrontmatterValues = Partial<
  Record<(typeof textKeys)[number], string> & Record<(typeof flagKeys)[number], boolean>
>;

const textKeys = ['title', 'description', 'icon', 'emoji', 'condition'] as const;
const flagKeys = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
type Wanted = { key: string; value: string | true | undefined }[];

/**
 * Sets values in frontmatter and keeps every other byte: comments, order, quotes, unknown keys, the byte
 * order mark, line endings. A cleared key is removed with its line; frontmatter without any keys is removed
 * completely.
 *
 * YAML that cannot be read stays unless a value has to be set. Then it becomes comments above the keys, so
 * that nothing is lost, and the file can be read again. Frontmatter beyond the size limit stays unchanged.
 */
export function editFrontmatter(frontmatter: Uint8Array, values: FrontmatterValues, eol: string): Uint8Array {
  const wanted = changesIn(frontmatter, values);
  if (wanted.length === 0) return frontmatter;
  const parts = partsOf(frontmatter);
  if (parts.open === '')
    return wanted.some(isSet)
      ? bytesOf(`${parts.mark}---${eol}${linesOf(wanted, eol)}---${eol}`)
      : frontmatter;
  const isReadable = !('problem' in readYaml(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes));
  for (const edit of isReadable ? [splice, rewritten, commented] : [commented]) {
    const yaml = edit(parts.yaml, wanted, lineEndOf(parts.open, eol));
    if (yaml === undefined) continue;
    if (yaml.trim() === '') return bytesOf(parts.mark);
    const edited = bytesOf(parts.mark + parts.open + yaml + parts.close);
    if (isAsWanted(edited, frontmatter, values)) return edited;
  }
  return frontmatter;
}

const isSet = ({ value }: Wanted[number]) => value !== undefined;

/** Selects the values to write: a value that the frontmatter already has stays as its author wrote it. */
function changesIn(frontmatter: Uint8Array, values: FrontmatterValues): Wanted {
  const { frontmatter: found } = readFrontmatter(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes);
  const wanted: Wanted = [];
  for (const name of textKeys) {
    const value = values[name];
    if (value === undefined || readAs(name, value) === (found[name] ?? '')) continue;
    wanted.push({
      key: name === 'condition' ? 'if' : name,
      value: value.trim() === '' ? undefined : written(name, value),
    });
  }
  for (const name of flagKeys) {
    const value = values[name];
    if (value !== undefined && value !== (found[name] ?? false))
      wanted.push({ key: name, value: value || undefined });
  }
  return wanted;
}

/**
 * The value as the reader returns it, without zero-width characters, which come with examples copied from web
 * pages.
 */
function readAs(name: keyof PageFrontmatter, value: string): string {
  const text = value.replace(/[\u200B\uFEFF\u2060]/g, '').trim();
  return name === 'emoji' ? text.toLowerCase() : text;
}

/** Writes an emoji as its characters if the reader derives the same code from them. */
function written(name: string, value: string): string {
  if (name !== 'emoji' || !/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(value)) return value;
  const points = value.split('-').map((hex) => Number.parseInt(hex, 16));
  if (points.some((point) => point > 0x10ffff)) return value;
  const emoji = String.fromCodePoint(...points);
  return /^\p{RGI_Emoji}$/v.test(emoji) ? emoji : value;
}

/**
 * Decodes each byte as one character, so that positions match the file and bytes that are not UTF-8 are
 * preserved.
 */
function partsOf(frontmatter: Uint8Array): { mark: string; open: string; yaml: string; close: string } {
  const text = binary(frontmatter);
  const mark = text.startsWith('\xef\xbb\xbf') ? text.slice(0, 3) : '';
  if (mark.length === text.length) return { mark, open: '', yaml: '', close: '' };
  const yaml = yamlOfFrontmatter(frontmatter);
  const start = yaml.byteOffset - frontmatter.byteOffset;
  return {
    mark,
    open: text.slice(mark.length, start),
    yaml: binary(yaml),
    close: text.slice(start + yaml.length),
  };
}

function lineEndOf(line: string, otherwise: string): string {
  return /\r?\n$/.exec(line)?.[0] ?? otherwise;
}

const binary = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const fromBinary = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
const toBinary = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** Changes only the lines of the keys. Undefined if the keys are not on lines of their own. */
function splice(yaml: string, wanted: Wanted, eol: string): string | undefined {
  const parsed = parseYamlOnce(yaml, contentLimits.yamlBytes);
  if ('problem' in parsed) return undefined;
  const { contents } = parsed.document;
  if (contents !== null && (!isMap(contents) || contents.flow))
    return isBlankScalar(contents) ? yaml + linesOf(wanted, eol) : undefined;
  const cuts: { start: number; end: number; text: string }[] = [];
  const added: Wanted = [];
  for (const change of wanted) {
    const pairs = contents === null ? [] : pairsOf(contents, change.key);
    // Of a duplicate key, the last one counts.
    for (const pair of change.value === undefined ? pairs : pairs.slice(-1)) {
      const cut =
        change.value === undefined ? lineOf(yaml, pair) : valueIn(yaml, pair, { value: change.value, eol });
      if (!cut) return undefined;
      cuts.push(cut);
    }
    if (pairs.length === 0 && isSet(change)) added.push(change);
  }
  let result = '';
  let position = 0;
  for (const { start, end, text } of cuts.toSorted((one, other) => one.start - other.start)) {
    result += yaml.slice(position, start) + text;
    position = end;
  }
  const last = contents?.items.at(-1);
  const indent = last && isScalar(last.key) ? columnOf(yaml, last.key.range?.[0] ?? 0) : 0;
  return result + yaml.slice(position) + linesOf(added, eol, indent);
}

function pairsOf(map: YAMLMap, key: string): Pair[] {
  return map.items.filter(
    (pair) => isScalar(pair.key) && readAs('title', fromBinary(String(pair.key.value))) === key,
  );
}

function lineOf(
  yaml: string,
  { key, value }: Pair,
): { start: number; end: number; text: string } | undefined {
  const range = isScalar(key) ? key.range : undefined;
  if (!range) return undefined;
  const start = range[0] - columnOf(yaml, range[0]);
  if (yaml.slice(start, range[0]).trim() !== '') return undefined;
  const last = (value as { range?: readonly number[] } | null)?.range?.[1] ?? range[1];
  const end = yaml[last - 1] === '\n' ? last : yaml.indexOf('\n', last) + 1;
  return end === 0 ? undefined : { start, end, text: '' };
}

function valueIn(
  yaml: string,
  { key, value }: Pair,
  { value: wanted, eol }: { value: string | true; eol: string },
) {
  if (!isScalar(key) || !key.range || !isScalar(value) || !value.range) return undefined;
  const [start, end] = value.range;
  const isLineEnd = yaml[end - 1] === '\n';
  const hasComment = !isLineEnd && yaml.slice(end, yaml.indexOf('\n', end)).trim() !== '';
  const isOneLine = hasComment || columnOf(yaml, key.range[0]) > 0;
  const text = toBinary(scalarText(wanted, isOneLine).replaceAll('\n', eol));
  return { start, end, text: (yaml[start - 1] === ':' ? ' ' : '') + text + (isLineEnd ? eol : '') };
}

function columnOf(text: string, position: number): number {
  return position - (text.lastIndexOf('\n', position - 1) + 1);
}

function linesOf(wanted: Wanted, eol: string, indent = 0): string {
  return wanted
    .filter(isSet)
    .map(({ key, value }) => {
      const text = toBinary(scalarText(value as string | true, indent > 0)).replaceAll('\n', eol);
      return `${' '.repeat(indent)}${key}: ${text}${eol}`;
    })
    .join('');
}

const foldedFrom = 70;

/** Writes a text as GitBook does: without quotes if possible, folded if long. */
function scalarText(value: string | true, isOneLine: boolean): string {
  const scalar = new Scalar(value);
  const isLong =
    typeof value === 'string' && value.length > foldedFrom && !isOneLine && !/[^\S ]|^ | $| {2}/.test(value);
  if (isLong) scalar.type = Scalar.BLOCK_FOLDED;
  const width = isLong ? 80 : 0;
  const style = {
    lineWidth: width,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    blockQuote: isOneLine ? false : true,
  };
  return stringify({ key: scalar }, style).slice('key: '.length).replace(/\n$/, '');
}

/**
 * Rewrites the whole YAML, for flow maps and the like. Comments and unknown keys stay, but their layout is
 * lost.
 */
function rewritten(yaml: string, wanted: Wanted, eol: string): string | undefined {
  // Parsed again, because it is changed and must not come from the cache.
  const document = parseDocument(yaml, {
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  if (!isMap(document.contents)) return undefined;
  for (const { key, value } of wanted) {
    const before = new Set(pairsOf(document.contents, key));
    document.contents.items = document.contents.items.filter((item) => !before.has(item));
    if (value !== undefined) document.set(key, value === true ? true : toBinary(value));
  }
  if (document.contents.items.length === 0) return '';
  return document.toString({ lineWidth: 0 }).replaceAll(/\r?\n/g, eol);
}

function commented(yaml: string, wanted: Wanted, eol: string): string | undefined {
  if (!wanted.some(isSet)) return undefined;
  return yaml.replaceAll(/^(?=.)/gm, '# ') + linesOf(wanted, eol);
}

function isBlankScalar(contents: unknown): boolean {
  return isScalar(contents) && (contents.value === null || contents.value === '');
}

/** Tells whether the edited bytes are read as the given values, and everything else as before. */
function isAsWanted(edited: Uint8Array, before: Uint8Array, values: FrontmatterValues): boolean {
  if (changesIn(edited, values).length > 0) return false;
  const keys = new Set(
    [...textKeys, ...flagKeys, 'if'].filter(
      (key) => key in values || (key === 'if' && 'condition' in values),
    ),
  );
  return JSON.stringify(othersIn(edited, keys)) === JSON.stringify(othersIn(before, keys));
}

function othersIn(frontmatter: Uint8Array, keys: ReadonlySet<string>): unknown {
  const reading = readYaml(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes);
  if ('problem' in reading || reading.value.kind !== 'map') return [];
  return [...reading.value.members]
    .filter(([key]) => !keys.has(key))
    .map(([key, value]) => [key, plain(value)]);
}

function plain(value: YamlValue): unknown {
  if (value.kind === 'scalar') return value.text;
  return value.kind === 'list'
    ? value.values.map(plain)
    : [...value.members].map(([key, member]) => [key, plain(member)]);
}

import { isMap, isScalar, parseDocument, Scalar, stringify, type Pair, type YAMLMap } from 'yaml';
import { readFrontmatter } from '../frontmatter/frontmatter.ts';
import { yamlOfFrontmatter } from '../frontmatter/splitFrontmatter.ts';
import { contentLimits } from '../contentLimits.ts';
import type { PageFrontmatter } from '../frontmatter/frontmatterFields.ts';
import { parseYamlOnce, readYaml, type YamlValue } from '../frontmatter/yaml.ts';

/** The keys that are written, with what they shall be read as. An empty text and `false` are what a page without the key has. */
export type FrontmatterValues = Partial<Record<(typeof textKeys)[number], string> & Record<(typeof flagKeys)[number], boolean>>;

const textKeys = ['title', 'description', 'icon', 'emoji', 'condition'] as const;
const flagKeys = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
type Wanted = { key: string; value: string | true | undefined }[];

/**
 * Frontmatter in which the given keys have the given values and every other byte is what it was: comments, order, quotes, unknown keys,
 * the byte order mark, line endings. A key that is cleared goes with its line; frontmatter that has become empty goes as a whole.
 *
 * YAML that cannot be read stays as long as no value has to stand in it. Then it is kept as comments, above the keys: nothing is lost, and
 * the file can be read again. Frontmatter that is larger than what is read at all stays as it is.
 */
export function editFrontmatter(frontmatter: Uint8Array, values: FrontmatterValues, eol: string): Uint8Array {
  const wanted = changesIn(frontmatter, values);
  if (wanted.length === 0) return frontmatter;
  const parts = partsOf(frontmatter);
  if (parts.open === '') return wanted.some(isSet) ? bytesOf(`${parts.mark}---${eol}${linesOf(wanted, eol)}---${eol}`) : frontmatter;
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

/** What has to be written: what is read from the frontmatter already stays as its author wrote it. */
function changesIn(frontmatter: Uint8Array, values: FrontmatterValues): Wanted {
  const { frontmatter: found } = readFrontmatter(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes);
  const wanted: Wanted = [];
  for (const name of textKeys) {
    const value = values[name];
    if (value === undefined || readAs(name, value) === (found[name] ?? '')) continue;
    wanted.push({ key: name === 'condition' ? 'if' : name, value: value.trim() === '' ? undefined : written(name, value) });
  }
  for (const name of flagKeys) {
    const value = values[name];
    if (value !== undefined && value !== (found[name] ?? false)) wanted.push({ key: name, value: value || undefined });
  }
  return wanted;
}

/** What a value is read as: the reader leaves out these characters, which come along when examples are copied from web pages. */
function readAs(name: keyof PageFrontmatter, value: string): string {
  const text = value.replace(/[\u200B\uFEFF\u2060]/g, '').trim();
  return name === 'emoji' ? text.toLowerCase() : text;
}

/** An emoji is written as itself where the reader makes the same code of it. */
function written(name: string, value: string): string {
  if (name !== 'emoji' || !/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(value)) return value;
  const points = value.split('-').map((hex) => Number.parseInt(hex, 16));
  if (points.some((point) => point > 0x10ffff)) return value;
  const emoji = String.fromCodePoint(...points);
  return /^\p{RGI_Emoji}$/v.test(emoji) ? emoji : value;
}

/** One character for each byte, so that positions are positions in the file and bytes that are no UTF-8 stay. */
function partsOf(frontmatter: Uint8Array): { mark: string; open: string; yaml: string; close: string } {
  const text = binary(frontmatter);
  const mark = text.startsWith('\xef\xbb\xbf') ? text.slice(0, 3) : '';
  if (mark.length === text.length) return { mark, open: '', yaml: '', close: '' };
  const yaml = yamlOfFrontmatter(frontmatter);
  const start = yaml.byteOffset - frontmatter.byteOffset;
  return { mark, open: text.slice(mark.length, start), yaml: binary(yaml), close: text.slice(start + yaml.length) };
}

function lineEndOf(line: string, otherwise: string): string {
  return /\r?\n$/.exec(line)?.[0] ?? otherwise;
}

const binary = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const fromBinary = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
const toBinary = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** Changes the lines of the keys, and no others. Undefined where the keys do not stand on lines of their own. */
function splice(yaml: string, wanted: Wanted, eol: string): string | undefined {
  const parsed = parseYamlOnce(yaml, contentLimits.yamlBytes);
  if ('problem' in parsed) return undefined;
  const { contents } = parsed.document;
  if (contents !== null && (!isMap(contents) || contents.flow)) return isBlankScalar(contents) ? yaml + linesOf(wanted, eol) : undefined;
  const cuts: { start: number; end: number; text: string }[] = [];
  const added: Wanted = [];
  for (const change of wanted) {
    const pairs = contents === null ? [] : pairsOf(contents, change.key);
    // Of a key that stands there twice, the last one counts.
    for (const pair of change.value === undefined ? pairs : pairs.slice(-1)) {
      const cut = change.value === undefined ? lineOf(yaml, pair) : valueIn(yaml, pair, { value: change.value, eol });
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
  return map.items.filter((pair) => isScalar(pair.key) && readAs('title', fromBinary(String(pair.key.value))) === key);
}

function lineOf(yaml: string, { key, value }: Pair): { start: number; end: number; text: string } | undefined {
  const range = isScalar(key) ? key.range : undefined;
  if (!range) return undefined;
  const start = range[0] - columnOf(yaml, range[0]);
  if (yaml.slice(start, range[0]).trim() !== '') return undefined;
  const last = (value as { range?: readonly number[] } | null)?.range?.[1] ?? range[1];
  const end = yaml[last - 1] === '\n' ? last : yaml.indexOf('\n', last) + 1;
  return end === 0 ? undefined : { start, end, text: '' };
}

function valueIn(yaml: string, { key, value }: Pair, { value: wanted, eol }: { value: string | true; eol: string }) {
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

/** As GitBook writes it: without quotes where it can be, folded where it is long. */
function scalarText(value: string | true, isOneLine: boolean): string {
  const scalar = new Scalar(value);
  const isLong = typeof value === 'string' && value.length > foldedFrom && !isOneLine && !/[^\S ]|^ | $| {2}/.test(value);
  if (isLong) scalar.type = Scalar.BLOCK_FOLDED;
  const width = isLong ? 80 : 0;
  const style = { lineWidth: width, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER, blockQuote: isOneLine ? false : true };
  return stringify({ key: scalar }, style).slice('key: '.length).replace(/\n$/, '');
}

/** The whole of it written anew, for maps in braces and the like. Comments and unknown keys stay, their layout does not. */
function rewritten(yaml: string, wanted: Wanted, eol: string): string | undefined {
  // Of its own, because it is changed.
  const document = parseDocument(yaml, { schema: 'core', merge: false, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
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

/** Whether the edited bytes are read as what was asked for, and everything else in them as before. */
function isAsWanted(edited: Uint8Array, before: Uint8Array, values: FrontmatterValues): boolean {
  if (changesIn(edited, values).length > 0) return false;
  const keys = new Set([...textKeys, ...flagKeys, 'if'].filter((key) => key in values || (key === 'if' && 'condition' in values)));
  return JSON.stringify(othersIn(edited, keys)) === JSON.stringify(othersIn(before, keys));
}

function othersIn(frontmatter: Uint8Array, keys: ReadonlySet<string>): unknown {
  const reading = readYaml(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes);
  if ('problem' in reading || reading.value.kind !== 'map') return [];
  return [...reading.value.members].filter(([key]) => !keys.has(key)).map(([key, value]) => [key, plain(value)]);
}

function plain(value: YamlValue): unknown {
  if (value.kind === 'scalar') return value.text;
  return value.kind === 'list' ? value.values.map(plain) : [...value.members].map(([key, member]) => [key, plain(member)]);
}

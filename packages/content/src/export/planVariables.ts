import { isMap, isScalar, type Pair, type YAMLMap } from 'yaml';
import { readVariables, contentLimits, collectWarnings } from '@bindery/dialect/repository-format';
import type { Variable } from '@bindery/dialect/frontmatter';
import { exactBytes, exactText } from './exactText.ts';
import { lineEndOf, parseYaml, scalarEdit, withEdits, yamlValue, type YamlEdit } from './yamlText.ts';

/**
 * Writes `.gitbook/vars.yaml` with the given variables: unchanged if it already states them, otherwise with
 * only the necessary lines changed. Keeps entries that are not variables.
 *
 * @returns undefined when there is no file, and none is needed
 */
export function writeVariables(
  before: Uint8Array | undefined,
  variables: readonly Variable[],
): Uint8Array | undefined {
  if (before === undefined) return variables.length === 0 ? undefined : exactBytes(linesOf(variables, '\n'));
  if (isSaid(before, variables)) return before;
  const edited = exactBytes(spliced(exactText(before), variables));
  // A file that is not a mapping of names to values contains nothing to keep.
  return isSaid(edited, variables) ? edited : exactBytes(linesOf(variables, lineEndOf(exactText(before))));
}

function isSaid(file: Uint8Array, variables: readonly Variable[]): boolean {
  const read = new Map(variablesIn(file).map(({ name, value }) => [name, value]));
  return read.size === variables.length && variables.every(({ name, value }) => read.get(name) === value);
}

function variablesIn(file: Uint8Array): Variable[] {
  return readVariables(file, { path: '', warnings: collectWarnings(0), limits: contentLimits });
}

function spliced(text: string, variables: readonly Variable[]): string {
  const { contents } = parseYaml(text);
  const eol = lineEndOf(text);
  const space = text === '' || text.endsWith('\n') ? '' : eol;
  if (!isMap(contents)) return text + space + linesOf(variables, eol);
  const read = new Map(variablesIn(exactBytes(text)).map(({ name, value }) => [name, value]));
  const wanted = new Map(variables.map(({ name, value }) => [name, value]));
  const edits: YamlEdit[] = [];
  const added: Variable[] = [];
  for (const [name, value] of wanted) {
    if (read.get(name) === value) continue;
    // Of a duplicate name, the last one counts.
    const pair = pairsOf(contents, name).at(-1);
    const edit = pair && isScalar(pair.value) ? scalarEdit(text, pair.value, value) : undefined;
    if (edit) edits.push(edit);
    else added.push({ name, value });
  }
  for (const name of read.keys())
    if (!wanted.has(name))
      edits.push(...pairsOf(contents, name).flatMap((pair) => linesOfPair(text, pair) ?? []));
  return withEdits(text, edits) + (added.length > 0 ? space + linesOf(added, eol) : '');
}

function pairsOf(map: YAMLMap, name: string): Pair[] {
  return map.items.filter(
    ({ key }) =>
      isScalar(key) && (key.source ?? String(key.value)).replace(/[\u200B\uFEFF\u2060]/g, '').trim() === name,
  );
}

/** The lines of a key and its value; undefined when they contain anything else. */
function linesOfPair(text: string, { key, value }: Pair): YamlEdit | undefined {
  if (!isScalar(key) || !key.range) return undefined;
  const start = text.lastIndexOf('\n', key.range[0] - 1) + 1;
  const last = isScalar(value) && value.range ? value.range[1] : key.range[1];
  const end = text[last - 1] === '\n' ? last : text.indexOf('\n', last) + 1;
  return { start, end: end === 0 ? text.length : end, text: '' };
}

function linesOf(variables: readonly Variable[], eol: string): string {
  return variables.map(({ name, value }) => `${yamlValue(name)}: ${yamlValue(value)}${eol}`).join('');
}

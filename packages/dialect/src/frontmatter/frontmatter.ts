import { quoted, type PageProblem } from '../contentWarnings.ts';
import { booleanOf, isBlank, membersOf, numberOf, readYaml, textOf, type YamlValue } from './yaml.ts';
import type { PageFrontmatter, PageLayout, PageTag, Variable } from './frontmatterFields.ts';

/** Far more than any page has. */
export const maxKeys = 1_000;
export const tooManyKeys = `it has more than ${maxKeys} keys`;

/**
 * Reads the known keys of frontmatter. Omits and reports values of the wrong kind; reports unknown keys as
 * information. YAML that cannot be read drops every field, never the page.
 */
export function readFrontmatter(
  yaml: Uint8Array,
  maxBytes: number,
): { frontmatter: PageFrontmatter; problems: PageProblem[] } {
  const reading = readYaml(yaml, maxBytes);
  if ('problem' in reading) return { frontmatter: {}, problems: [unreadable(reading.problem)] };
  if (isBlank(reading.value)) return { frontmatter: {}, problems: [] };
  if (reading.value.kind !== 'map')
    return { frontmatter: {}, problems: [unreadable('it is no list of keys and values')] };
  if (reading.value.members.size > maxKeys) return { frontmatter: {}, problems: [unreadable(tooManyKeys)] };

  const frontmatter: PageFrontmatter = {};
  const problems: PageProblem[] = [];
  const unknown: string[] = [];
  for (const [key, value] of reading.value.members) {
    const read = readers.get(key);
    if (!read) unknown.push(key);
    else if (!isBlank(value)) {
      for (const problem of read(frontmatter, value))
        problems.push({ code: 'frontmatter_value', message: problem });
    }
  }
  if (unknown.length > 0)
    problems.push({
      code: 'frontmatter_unknown',
      message: `Frontmatter keys that are kept but not used: ${quoted(unknown.join(', '))}.`,
    });
  return { frontmatter, problems };
}

/** Adds the valid parts of a value to the frontmatter, and returns the invalid ones. */
type Reader = (frontmatter: PageFrontmatter, value: YamlValue) => string[];

const layoutParts = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
  'cover',
] as const;

const readers = new Map<string, Reader>([
  ...(['title', 'description', 'icon'] as const).map((key): [string, Reader] => [
    key,
    text(key, (page, value) => (page[key] = value)),
  ]),
  ...(['hidden', 'noIndex', 'noRobotsIndex'] as const).map((key): [string, Reader] => [
    key,
    flag(key, (page, value) => (page[key] = value)),
  ]),
  ['if', text('if', (page, value) => (page.condition = value))],
  ['emoji', readEmoji],
  ['tags', readTags],
  ['vars', readVariables],
  ['layout', readLayout],
  ['cover', readCover],
  ['coverY', number('coverY', (page, value) => (page.coverY = value))],
  ['coverHeight', number('coverHeight', (page, value) => (page.coverHeight = value))],
]);

function text(key: string, set: (page: PageFrontmatter, value: string) => void): Reader {
  return (page, value) =>
    setOrComplain(textOf(value), `\`${key}\` must be a text`, (found) => set(page, found));
}

function flag(key: string, set: (page: PageFrontmatter, value: boolean) => void): Reader {
  return (page, value) =>
    setOrComplain(booleanOf(value), `\`${key}\` must be true or false`, (found) => set(page, found));
}

function number(key: string, set: (page: PageFrontmatter, value: number) => void): Reader {
  return (page, value) =>
    setOrComplain(numberOf(value), `\`${key}\` must be a number`, (found) => set(page, found));
}

function readEmoji(page: PageFrontmatter, value: YamlValue): string[] {
  const written = textOf(value) ?? '';
  if (/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(written)) page.emoji = written.toLowerCase();
  else if (/^\p{RGI_Emoji}$/v.test(written))
    page.emoji = [...written].map((letter) => letter.codePointAt(0)?.toString(16)).join('-');
  else return ['`emoji` must be one emoji or its code points, such as 1f4d6; it is ignored.'];
  return [];
}

function readTags(page: PageFrontmatter, value: YamlValue): string[] {
  const tags: PageTag[] = [];
  const values = value.kind === 'list' ? value.values : [value];
  for (const entry of values) {
    const tag = entry.kind === 'map' ? textOf(entry.members.get('tag')) : textOf(entry);
    if (tag)
      tags.push({ tag, ...(booleanOf(membersOf(entry).get('primary')) && { primary: true as const }) });
  }
  if (tags.length > 0) page.tags = tags;
  return tags.length === values.length
    ? []
    : ['`tags` must be a list of texts or of {tag, primary}; what is neither is ignored.'];
}

function readVariables(page: PageFrontmatter, value: YamlValue): string[] {
  const { variables, refused } = variablesOf(value);
  if (variables.length > 0) page.variables = variables;
  return refused.map(
    (name) => `The variable ${quoted(name)} must be a text, a number or true or false; it is ignored.`,
  );
}

/** Splits the members of a flat map into variables, and the names of members that are none. */
export function variablesOf(value: YamlValue): { variables: Variable[]; refused: string[] } {
  if (value.kind !== 'map') return { variables: [], refused: ['vars'] };
  const variables: Variable[] = [];
  const refused: string[] = [];
  for (const [name, member] of value.members) {
    const plain = member.kind === 'scalar' ? member.value : null;
    if (name === '' || plain === null || (typeof plain === 'number' && !Number.isFinite(plain)))
      refused.push(name);
    else variables.push({ name, value: plain });
  }
  return { variables, refused };
}

function readLayout(page: PageFrontmatter, value: YamlValue): string[] {
  const layout: PageLayout = {};
  const problems: string[] = [];
  const members = membersOf(value);
  const cover = membersOf(members.get('cover'));
  const choose = <Key extends 'preset' | 'width' | 'coverSize' | 'coverMask'>(
    key: Key,
    from: YamlValue | undefined,
    choices: readonly NonNullable<PageLayout[Key]>[],
  ) => {
    if (isBlank(from)) return;
    const chosen = choices.find((choice) => choice === textOf(from));
    if (chosen === undefined)
      problems.push(`\`layout\` has an unknown ${key}; it must be one of ${choices.join(', ')}.`);
    else layout[key] = chosen;
  };

  choose('preset', value.kind === 'scalar' ? value : members.get('preset'), ['docs', 'editorial', 'landing']);
  choose('width', members.get('width'), ['default', 'wide']);
  choose('coverSize', cover.get('size'), ['hero', 'full', 'background']);
  choose('coverMask', cover.get('mask'), ['none', 'radial']);
  for (const part of layoutParts) {
    const written = members.get(part);
    const visible = written?.kind === 'map' ? written.members.get('visible') : written;
    if (isBlank(visible)) continue;
    const isVisible = booleanOf(visible);
    if (isVisible === undefined)
      problems.push(`\`layout.${part}.visible\` must be true or false; it is ignored.`);
    else layout[part] = isVisible;
  }
  if (value.kind === 'list') problems.push('`layout` must hold keys and values; it is ignored.');
  if (Object.keys(layout).length > 0) page.layout = layout;
  return problems;
}

function readCover(page: PageFrontmatter, value: YamlValue): string[] {
  const light = value.kind === 'map' ? textOf(value.members.get('light')) : textOf(value);
  const dark = textOf(membersOf(value).get('dark'));
  if (!light && !dark) return ['`cover` must be a path, a URL or {light, dark}; it is ignored.'];
  page.cover = { light: light || undefined, dark: dark || undefined };
  return [];
}

function setOrComplain<Value>(
  found: Value | undefined,
  complaint: string,
  set: (value: Value) => void,
): string[] {
  if (found === undefined) return [`${complaint}; it is ignored.`];
  set(found);
  return [];
}

function unreadable(problem: string): PageProblem {
  return { code: 'frontmatter_yaml', message: `The frontmatter is kept but not used: ${problem}.` };
}

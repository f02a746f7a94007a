import { leadsOutside } from '@bindery/contract/linkTarget';
import type { PhrasingContent } from 'mdast';
import { stringify } from 'yaml';
import { folderOf, type ComputedSource } from '@bindery/dialect/repository-format';
import { markdownOfBlocks } from '@bindery/dialect/page-source';

/** How the targets of a file are written, where there is a choice. */
export type TargetStyle = { escapesUnderscores: boolean; encodesSpaces: boolean };

/** Text that needs no escape anywhere: most titles. */
const bare = /^\p{L}[\p{L}\p{N},]*(?: [\p{L}\p{N},]+)*$/u;

/** The forms of a text in an entry, the one that GitBook writes first; the last one has every sign escaped. */
export function textForms(text: string): string[] {
  return bare.test(text) ? [text] : [markdownOf({ type: 'text', value: text }), escapedWhole(text)];
}

/** The forms of a text as the title of a group. */
export function headingForms(text: string): string[] {
  if (bare.test(text)) return [text];
  const heading = markdownOfBlocks([{ type: 'heading', depth: 2, children: [{ type: 'text', value: text }] }]);
  return [heading.replace(/^## |\n$/g, ''), escapedWhole(text)];
}

/** The forms of a text between the brackets of a link. */
export function labelForms(text: string): string[] {
  if (text === '' || bare.test(text)) return [text];
  const link = markdownOf({ type: 'link', url: 'x', children: [{ type: 'text', value: text }] });
  return [/^\[([^]*)\]\(x\)$/.exec(link)?.[1] ?? '', escapedWhole(text)];
}

function markdownOf(inline: PhrasingContent): string {
  return markdownOfBlocks([{ type: 'paragraph', children: [inline] }]).replace(/\n$/, '');
}

function escapedWhole(text: string): string {
  return withBreaksEscaped(text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`));
}

/** A link's title with its quotes. */
export function quotedTitle(title: string): string {
  return `"${withBreaksEscaped(withReferencesEscaped(title.replaceAll(/["\\]/g, String.raw`\$&`)))}"`;
}

/** A path as a target seen from a file: readable, with only that encoded which would mean something else. */
export function targetOfPath(path: string, { from, style, anchor }: { from: string; style: TargetStyle; anchor?: string }): string {
  const relative = relativePath(folderOf(from), path);
  const encoded = (leadsOutside(relative) ? `./${relative}` : relative).replaceAll(/[%#?\u007f]/g, encodeURIComponent);
  const readable = style.encodesSpaces ? encoded.replaceAll(' ', '%20') : encoded;
  return destination(anchor === undefined ? readable : `${readable}#${anchor}`, style);
}

/** A target as it stands in a link: in angle brackets where it holds space. */
export function destination(target: string, style: TargetStyle): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (target === '' || /[\u0000-\u0020\u007f]/.test(target))
    return `<${withBreaksEscaped(withReferencesEscaped(target.replaceAll(/[<>\\]/g, String.raw`\$&`)))}>`;
  const escaped = withReferencesEscaped(target.replaceAll(/[()\\]|^</g, String.raw`\$&`));
  return style.escapesUnderscores ? escaped.replaceAll('_', String.raw`\_`) : escaped;
}

/** The lines of a computed entry, as GitBook orders and fences them. */
export function computedLines({ type, props, dependencies }: ComputedSource): string[] {
  const yaml = stringify({ props: orderedProps(props), type, dependencies }, { lineWidth: 0 }).trimEnd();
  let fence = '```';
  while (yaml.includes(fence)) fence += '`';
  return [`${fence}yaml`, ...yaml.split('\n'), fence];
}

/** The way from a folder to a path, both from the repository's root. */
function relativePath(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}

function orderedProps(props: ComputedSource['props']): object {
  if (!('models' in props)) return {};
  const { models, downloadLink, grouping } = props;
  return { models, ...(downloadLink !== undefined && { downloadLink }), ...(grouping && { grouping }) };
}

/** A backslash before what would be read as a character reference. */
function withReferencesEscaped(text: string): string {
  return text.replaceAll(/&(?=#?[0-9A-Za-z]{1,31};)/g, String.raw`\&`);
}

function withBreaksEscaped(text: string): string {
  return text.replaceAll(/[\r\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

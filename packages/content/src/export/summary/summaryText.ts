import { leadsOutside } from '@bindery/contract/linkTarget';
import type { PhrasingContent } from 'mdast';
import { stringify } from 'yaml';
import { folderOf, type ComputedSource } from '@bindery/dialect/repository-format';
import { markdownOfBlocks } from '@bindery/dialect/page-source';

/** The choices in writing the targets of a file. */
export type TargetStyle = { escapesUnderscores: boolean; encodesSpaces: boolean };

/** Text that needs no escape anywhere: most titles. */
const bare = /^\p{L}[\p{L}\p{N},]*(?: [\p{L}\p{N},]+)*$/u;

/**
 * Lists the forms of a text in an entry, GitBook's form first; the last one escapes every punctuation
 * character.
 */
export function textForms(text: string): string[] {
  return bare.test(text) ? [text] : [markdownOf({ type: 'text', value: text }), escapedWhole(text)];
}

/** Lists the forms of a text as the title of a group. */
export function headingForms(text: string): string[] {
  if (bare.test(text)) return [text];
  const heading = markdownOfBlocks([
    { type: 'heading', depth: 2, children: [{ type: 'text', value: text }] },
  ]);
  return [heading.replace(/^## |\n$/g, ''), escapedWhole(text)];
}

/** Lists the forms of a text between the brackets of a link. */
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

/** Writes a link's title with its quotes. */
export function quotedTitle(title: string): string {
  return `"${withBreaksEscaped(withReferencesEscaped(title.replaceAll(/["\\]/g, String.raw`\$&`)))}"`;
}

/**
 * Writes a path as a target relative to a file, encoding only characters that would otherwise change its
 * meaning.
 */
export function targetOfPath(
  path: string,
  { from, style, anchor }: { from: string; style: TargetStyle; anchor?: string },
): string {
  const relative = relativePath(folderOf(from), path);
  const encoded = (leadsOutside(relative) ? `./${relative}` : relative).replaceAll(
    /[%#?\u007f]/g,
    encodeURIComponent,
  );
  const readable = style.encodesSpaces ? encoded.replaceAll(' ', '%20') : encoded;
  return destination(anchor === undefined ? readable : `${readable}#${anchor}`, style);
}

/** Writes a target as the destination of a link: in angle brackets if it contains white space. */
export function destination(target: string, style: TargetStyle): string {
  // oxlint-disable-next-line no-control-regex -- finds control characters
  if (target === '' || /[\u0000-\u0020\u007f]/.test(target))
    return `<${withBreaksEscaped(withReferencesEscaped(target.replaceAll(/[<>\\]/g, String.raw`\$&`)))}>`;
  const escaped = withReferencesEscaped(target.replaceAll(/[()\\]|^</g, String.raw`\$&`));
  return style.escapesUnderscores ? escaped.replaceAll('_', String.raw`\_`) : escaped;
}

/** Writes the lines of a computed entry, in GitBook's order and fences. */
export function computedLines({ type, props, dependencies }: ComputedSource): string[] {
  const yaml = stringify({ props: orderedProps(props), type, dependencies }, { lineWidth: 0 }).trimEnd();
  let fence = '```';
  while (yaml.includes(fence)) fence += '`';
  return [`${fence}yaml`, ...yaml.split('\n'), fence];
}

/** The relative path from a folder to a path, both from the repository's root. */
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
  return { models, downloadLink, grouping };
}

/** Escapes sequences that would be read as character references. */
function withReferencesEscaped(text: string): string {
  return text.replaceAll(/&(?=#?[0-9A-Za-z]{1,31};)/g, String.raw`\&`);
}

function withBreaksEscaped(text: string): string {
  return text.replaceAll(/[\r\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

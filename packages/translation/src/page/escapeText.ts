import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { escapedHtml, htmlValue, tagValue } from '@bindery/dialect/source';
import type { SegmentForm } from './segment.ts';

/** The surroundings of a text of Markdown. */
export type Beside = {
  /** The text begins a line, where a block could begin. */
  beginsLine: boolean;
  endsSegment: boolean;
  /** A placeholder precedes or follows, without a space between them. */
  isBehind: boolean;
  isBefore: boolean;
};

const markup = new RegExp(
  [
    String.raw`\\(?=[!-\/:-@\[-\x60{-~]|$)`,
    String.raw`[\x60\[\]~|]`,
    // Between spaces, it is an asterisk.
    String.raw`\*(?!\s)|(?<!\s)\*`,
    String.raw`(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])`,
    String.raw`<(?=[a-z\/!?])`,
    String.raw`&(?=#?\w{1,32};)`,
    String.raw`\$(?=\$)|(?<=\$)\$`,
    // Bare addresses become links.
    String.raw`(?<=\bwww)\.|(?<=\b(?:https?|ftp)):(?=\/\/)|(?<=[\w.+\-])@(?=[\w\-])`,
  ].join('|'),
  'giu',
);

/** The beginnings of blocks: headings, quotes, lists, rules. */
const blockStart = /^(?:#(?=#{0,5}(?:\s|$))|>|[-=](?=[\s\-=]|$)|\+(?=\s|$)|:(?=-))/;
const numberedItem = /^(\d{1,9})([.)])(?=\s|$)/;

/** Escapes all markup in a text, so that readers of Markdown see the text as given. */
export function escapedMarkdown(text: string, beside: Beside): string {
  let escaped = text.replaceAll(markup, String.raw`\$&`);
  if (beside.beginsLine)
    escaped = escaped.replace(blockStart, String.raw`\$&`).replace(numberedItem, String.raw`$1\$2`);
  if (beside.endsSegment) escaped = withoutClosingMarks(escaped);
  if (beside.isBefore) escaped = escaped.replace(/(?<!\\)[!$]$/, String.raw`\$&`);
  if (beside.isBehind) escaped = escaped.replace(/^\$/, String.raw`\$`);
  return withoutTemplates(escaped);
}

/** Escapes number signs at the end, which would close a heading. */
function withoutClosingMarks(text: string): string {
  const before = trimmedEnd(text, '#');
  const at = before.endsWith('\\') ? before.length + 1 : before.length;
  return at >= text.length ? text : `${text.slice(0, at)}\\${text.slice(at)}`;
}

/** Writes `{%` and `{{` so that programs that look for them do not find them. */
function withoutTemplates(text: string): string {
  return text.replaceAll(/\{(?=[{%]|$)/g, '&#x7B;');
}

/** Escapes text between the tags of HTML. */
export function escapedHtmlText(text: string): string {
  return withoutTemplates(escapedHtml(text));
}

/** Of a text in the middle of a line. */
export const unattached: Beside = { beginsLine: false, endsSegment: false, isBehind: false, isBefore: false };

const valueWriters: Partial<Record<SegmentForm, (text: string) => string>> = {
  alt: (text) => escapedMarkdown(text, unattached),
  linkTitle: (text) => withoutTemplates(text.replaceAll(/["'|\\]|&(?=#?\w{1,32};)/g, String.raw`\$&`)),
  tagAttribute: (text) => withoutTemplates(tagValue(text).replaceAll("'", '&#x27;')),
  htmlAttribute: (text) =>
    withoutTemplates(htmlValue(text).replaceAll("'", '&#x27;').replaceAll('|', '&#x7C;')),
  frontmatter: (text) => text,
};

/**
 * Returns a function that escapes the value of an attribute, the text of an image or the title of a link;
 * undefined for other forms, which may have markup.
 */
export function valueWriter(form: SegmentForm): ((text: string) => string) | undefined {
  return valueWriters[form];
}

/** Makes a text one line without control characters. */
export function normalized(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[\t-\r\u0085\u2028\u2029 ]+/g, ' ')
      // oxlint-disable-next-line no-control-regex -- removes control characters
      .replaceAll(/[\0-\u001f\u007f-\u009f]/g, '')
  );
}

import { compileTemplate, type Hole, type Part } from './compileTemplate.ts';
import { escaped } from './escaped.ts';
import { safeUrl } from './safeUrl.ts';

/** Markup made by `html`. Its private field keeps other objects, such as parsed JSON, from passing for it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  /** Only `html` and `trusted` make markup. */
  static of(markup: string): Html {
    return new Html(markup);
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template: nothing for false, null and undefined; a list is written without separators. */
export type Value = Html | string | number | false | null | undefined | readonly Value[];

/**
 * Markup that is known to be safe: sanitized, highlighted, cached, or written in our own source. Never a text
 * that a user wrote.
 */
export function trusted(markup: string): Html {
  return Html.of(markup);
}

/** The form of each template, read once. */
const compiled = new WeakMap<TemplateStringsArray, readonly Part[]>();

/**
 * Builds markup, and escapes each value for its place.
 *
 * - Text: any value; markup of `html` stays as it is.
 * - An attribute in double quotes: text or numbers. When its only value is false, null or undefined, the
 *   whole attribute vanishes: `<a aria-current="${isHere && 'page'}">`.
 * - An attribute with a URL: http, https, mailto, tel, or a relative one; any other becomes `#`. A composed
 *   URL needs a fixed start: `href="/pages/${id}"`.
 * - `?hidden=${isHidden}`: an attribute without a value, present when it is true.
 * - In `<script type="application/json">`: a JSON text.
 *
 * @throws TypeError at the first use of a template with a value in another place: names of elements or
 *   attributes, unquoted attributes, comments, style sheets, scripts, and attributes that run code
 */
export function html(parts: TemplateStringsArray, ...values: readonly Flaggable[]): Html {
  let template = compiled.get(parts);
  if (!template) compiled.set(parts, (template = compileTemplate(parts)));
  let markup = '';
  for (const part of template) markup += typeof part === 'string' ? part : write(part, values);
  return Html.of(markup);
}

/** `true` is only for `?name=${}`. */
type Flaggable = Value | true;

function write(part: Exclude<Part, string>, values: readonly Flaggable[]): string {
  switch (part.kind) {
    case 'text':
      return textOf(values[part.value] as Value);
    case 'flag':
      return values[part.value] ? ` ${part.name}` : '';
    case 'json':
      return textOfJson(values[part.value] as Value);
    case 'attribute':
      return attribute(part, values);
  }
}

function textOf(value: Value): string {
  if (isNothing(value)) return '';
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return (value as readonly Value[]).map(textOf).join('');
  return escaped(plainText(value));
}

function attribute(
  { name, isUrl, pieces }: Extract<Hole, { kind: 'attribute' }>,
  values: readonly Flaggable[],
) {
  const given = pieces.map((piece) => (typeof piece === 'string' ? piece : values[piece]));
  if (pieces.length === 1 && isNothing(given[0])) return '';
  const text = given.map((piece) => (isNothing(piece) ? '' : plainText(piece))).join('');
  return ` ${name}="${escaped(isUrl ? safeUrl(text) : text)}"`;
}

/** A JSON text cannot end the element that holds it. */
function textOfJson(value: Value): string {
  return isNothing(value) ? '' : plainText(value).replaceAll('<', String.raw`\u003c`);
}

function isNothing(value: unknown): value is false | null | undefined {
  return value === false || value === null || value === undefined;
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new TypeError(
    `A template has text or numbers here, not ${value instanceof Html ? 'markup' : typeof value}.`,
  );
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup made by `html`. Its private field keeps other objects, such as parsed JSON, from passing for it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  /** Only for texts written in our own source, such as the style sheet. */
  static trusted(markup: string): Html {
    return new Html(markup);
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template: nothing for false, null and undefined; a list is written without separators. */
export type Value = Html | string | number | false | null | undefined | readonly Value[];

/**
 * Builds markup: every value that is not markup itself is escaped, for text and for attributes in double
 * quotes. A URL must begin with a literal path of this API in the template: `href="/admin/jobs/${id}"`.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.trusted(parts.map((part, index) => part + markupOf(values[index])).join(''));
}

function markupOf(value: Value): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/**
 * HTML as a tree. Text is escaped when the tree is written, so no block can make markup of an author's words:
 * it can only name elements and attributes of these lists.
 */
export type Html = string | HtmlElement | InsertedHtml | readonly Html[] | PendingHtml;

export type HtmlElement = {
  name: ElementName;
  attributes: HtmlAttributes;
  children: readonly Html[];
};

/** Still being computed, such as highlighted code. */
export type PendingHtml = { pending: Promise<Html> };

/** Markup of a library, such as a formula: its number in the list of the renderer, which alone has it. */
export type InsertedHtml = { inserted: number };

/** All elements that pages have; the sanitizer removes any other. */
export const elementNames = [
  ...([
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'div',
    'section',
    'header',
    'aside',
    'blockquote',
    'hr',
  ] as const),
  ...(['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'pre', 'code', 'figure', 'figcaption', 'img'] as const),
  ...([
    'details',
    'summary',
    'table',
    'caption',
    'colgroup',
    'col',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ] as const),
  ...(['a', 'span', 'strong', 'em', 's', 'sup', 'sub', 'kbd', 'mark', 'br', 'time'] as const),
];
type ElementName = (typeof elementNames)[number];

/** `width`, a CSS length in px or %, becomes a style. */
export type HtmlAttributes = Partial<
  Record<
    | 'class'
    | 'id'
    | 'href'
    | 'src'
    | 'alt'
    | 'dir'
    | 'scope'
    | 'role'
    | 'aria-label'
    | 'data-language'
    | 'datetime'
    | 'width'
    | 'name'
    | 'loading'
    | 'target'
    | 'rel',
    string | undefined
  > &
    Record<'start' | 'colspan' | 'rowspan' | 'tabindex', number | undefined> &
    Record<'open', boolean | undefined>
>;

/** Makes an element. An attribute that is undefined, false or empty text is omitted, except `alt`. */
export function element(name: ElementName, attributes: HtmlAttributes, ...children: Html[]): HtmlElement {
  return { name, attributes, children };
}

/** Joins names of classes. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

/** Text with line breaks. */
export function lines(text: string): Html {
  const [first = '', ...more] = text.split(/\r\n?|\n/);
  return more.length === 0 ? first : [first, ...more.flatMap((line) => [element('br', {}), line])];
}

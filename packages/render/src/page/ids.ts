/** The id of a page's title, in the HTML of the whole book. */
export function idOfPage(page: string): string {
  return `p-${plain(page)}`;
}

/** The id of a heading of a page; `anchor` is its `meta.id`. Only ASCII letters, digits, `-`, `_` and `.`. */
export function idOfAnchor(page: string, anchor: string): string {
  return `${idOfPage(page)}--${plain(anchor)}`;
}

/** The id of a note at the end of a page, or of its first reference. */
export function idOfNote(page: string, number: number, place: 'note' | 'reference'): string {
  return `${idOfPage(page)}-${place === 'note' ? 'n' : 'r'}${number}`;
}

/** PDF writes ids as names of destinations, where other characters would need escapes of three kinds. */
function plain(text: string): string {
  return text.replaceAll(/[^\w-]/g, (letter) => `.${letter.charCodeAt(0).toString(16)}.`);
}

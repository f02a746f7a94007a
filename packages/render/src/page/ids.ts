import type { Medium } from '../face.ts';

/** The id of a page's title, in the HTML of the whole book. */
export function idOfPage(page: string): string {
  return `p-${plain(page)}`;
}

/** The id of a heading of a page; `anchor` is its `meta.id`. Only ASCII letters, digits, `-`, `_` and `.`. */
export function idOfAnchor(page: string, anchor: string): string {
  return `${idOfPage(page)}--${plain(anchor)}`;
}

/** The id of a note at the end of a page, or of its first reference. */
function idOfNote(page: string, number: number, place: 'note' | 'reference'): string {
  return `${idOfPage(page)}-${place === 'note' ? 'n' : 'r'}${number}`;
}

/** PDF writes ids as names of destinations, where other characters would need escapes of three kinds. */
function plain(text: string): string {
  return text.replaceAll(/[^\w-]/g, (letter) => `.${letter.charCodeAt(0).toString(16)}.`);
}

/** The ids of one page. */
export type PageIds = {
  page: string;
  anchor: (anchor: string) => string;
  note: (number: number, place: 'note' | 'reference') => string;
  /** Whether an address is that of a place in this page. */
  isOwn: (href: string) => boolean;
};

/**
 * The ids of a page: on paper they begin with the page's, because all pages of a book are one document; on a
 * screen they are the anchors themselves, which links from everywhere use.
 */
export function idsOf(page: string, medium: Medium): PageIds {
  if (medium === 'screen')
    return {
      // No heading has such an anchor.
      page: '~top',
      anchor: (anchor) => anchor.replaceAll(/\s/g, '-'),
      note: (number, place) => `~${place}-${number}`,
      isOwn: (href) => href.startsWith('#'),
    };
  const own = `#${idOfPage(page)}`;
  return {
    page: idOfPage(page),
    anchor: (anchor) => idOfAnchor(page, anchor),
    note: (number, place) => idOfNote(page, number, place),
    isOwn: (href) => href === own || href.startsWith(`${own}-`),
  };
}

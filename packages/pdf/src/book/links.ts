import { idOfName } from '../chunk/pages.ts';
import type { PdfFile } from '../chunk/pdfFile.ts';
import { limits } from '../limits.ts';
import { badPdf } from '../problems.ts';
import { bytesOf, writeText } from '../syntax/text.ts';
import { isDict, Text, writeNumber, type Dict, type Value } from '../syntax/value.ts';

/**
 * The origin of links between chunks, such as `https://render.invalid/book#id`. Chromium drops a link to an
 * id that its document does not have, unless the link names another document.
 */
const bookAddress = 'https://render.invalid/';

/** A link leads to an id of the book, or to an address outside of it. */
export type LinkTarget = { id: string } | { address: string };

/** Numbers in the book: of a link annotation, and of the page that it is on. */
export type CopiedAnnotation = { number: number; page: number; parentTreeKey: number };

/** The link of an annotation; `area` is its rectangle as text. */
export type Link = { target: LinkTarget; area: string };

/**
 * Reads an annotation.
 *
 * @throws JobError when it is anything else than a link to http, https, mailto or a place in the book
 */
export function readLink(chunk: PdfFile, annotation: Dict): Link {
  if (annotation.get('/Subtype') !== '/Link') throw badPdf('it has an annotation that is not a link');
  const rectangle = annotation.get('/Rect');
  if (!isRectangle(rectangle)) throw badPdf('one of its links has no place');
  return { target: readTarget(chunk, annotation), area: `/Rect[${rectangle.map(writeNumber).join(' ')}]` };
}

export function isRectangle(value: Value | undefined): value is number[] {
  return Array.isArray(value) && value.length === 4 && value.every((item) => typeof item === 'number');
}

function readTarget(chunk: PdfFile, annotation: Dict): LinkTarget {
  const destination = annotation.get('/Dest');
  if (typeof destination === 'string') return { id: idOfName(destination) };
  const action = chunk.resolve(annotation.get('/A'));
  const address =
    isDict(action) && action.get('/S') === '/URI' ? chunk.resolve(action.get('/URI')) : undefined;
  if (!(address instanceof Text) || !isDict(action) || action.has('/Next'))
    throw badPdf('one of its links does something else than to open an address');
  return targetOf(bytesOf(address));
}

function targetOf(address: string): LinkTarget {
  // Chromium writes addresses in ASCII, with everything else escaped.
  if (!/^[\x21-\x7e]+$/.test(address) || !/^(https?:\/\/|mailto:)/i.test(address))
    throw badPdf('a link leads to another address than http, https or mailto');
  // Authors write such links, mostly by mistake: one must not fail the pages of others.
  if (address.length > limits.addressCharacters) return { id: '' };
  if (!address.startsWith(bookAddress)) return { address };
  const fragment = address.slice(bookAddress.length).replace(/^[^#]*#/, '');
  try {
    return { id: decodeURIComponent(fragment) };
  } catch {
    return { id: fragment };
  }
}

/**
 * Writes a link annotation.
 *
 * @param description for readers who do not see it
 * @param target its destination or action
 */
export function writeLink(
  area: string,
  parentTreeKey: number,
  { description, target }: { description: string; target: string },
): string {
  return `<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]${area}/StructParent ${parentTreeKey}/Contents ${writeText(description)}${target}>>`;
}

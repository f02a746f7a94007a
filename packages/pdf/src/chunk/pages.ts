import { limits } from '../limits.ts';
import { badPdf, overLimit } from '../problems.ts';
import { readText } from '../syntax/text.ts';
import { Ref, Text, type Value } from '../syntax/value.ts';
import type { PdfFile } from './pdfFile.ts';

/** A place in a chunk. */
export type Place = { page: number; x: number; y: number };

/** Finds the numbers of the pages, in order. */
export function readPages(chunk: PdfFile): number[] {
  const pages: number[] = [];
  const seen = new Set<number>();
  const waiting: Value[] = [chunk.catalog().get('/Pages') ?? null];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!(next instanceof Ref) || seen.has(next.number)) throw badPdf('its tree of pages cannot be read');
    seen.add(next.number);
    const node = chunk.dict(next, 'page');
    if (node.get('/Type') === '/Page') pages.push(next.number);
    else
      waiting.push(
        ...chunk
          .array(node.get('/Kids'), 'list of pages')
          .slice(0, limits.sheets + 1)
          .toReversed(),
      );
    if (pages.length > limits.sheets) throw overLimit(`it has more than ${limits.sheets} sheets`);
  }
  return pages;
}

/** Reads `[page /XYZ x y zoom]`. */
function readPlace(destination: Value | undefined): Place {
  if (Array.isArray(destination)) {
    const [page, kind, x, y] = destination;
    if (page instanceof Ref && kind === '/XYZ' && typeof x === 'number' && typeof y === 'number')
      return { page: page.number, x, y };
  }
  throw badPdf('one of its destinations is not a place on a page');
}

/** The places of the ids that the chunk itself links to. */
export function readDestinations(chunk: PdfFile): Map<string, Place> {
  const named = chunk.catalog().get('/Dests');
  if (named === undefined) return new Map();
  const places = chunk.dict(named, 'list of destinations').entries();
  return new Map(
    places.map(([name, destination]) => [idOfName(name), readPlace(chunk.resolve(destination))]),
  );
}

/** The id in a name: UTF-8, as in the HTML. */
export function idOfName(name: string): string {
  return Buffer.from(name.slice(1), 'latin1').toString();
}

/** An entry of the outline; `title` is the text that Chromium drew. */
export type OutlineItem = Place & { title: string; element: number | undefined };

/**
 * Reads the outline, which has an entry for each heading whose text is drawn, in order.
 *
 * @param most the number of headings
 * @throws JobError when there are more
 */
export function readOutline(chunk: PdfFile, most: number): OutlineItem[] {
  const items: OutlineItem[] = [];
  const root = chunk.catalog().get('/Outlines');
  const waiting: (Value | undefined)[] = [
    root === undefined ? undefined : chunk.dict(root, 'outline').get('/First'),
  ];
  const seen = new Set<number>();
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === undefined) continue;
    if (!(next instanceof Ref) || seen.has(next.number)) throw badPdf('its outline cannot be read');
    seen.add(next.number);
    const entry = chunk.dict(next, 'outline entry');
    const element = entry.get('/SE');
    const title = entry.get('/Title');
    items.push({
      ...readPlace(chunk.resolve(entry.get('/Dest'))),
      title: title instanceof Text ? readText(title) : '',
      element: element instanceof Ref ? element.number : undefined,
    });
    if (items.length > most) throw badPdf(`it has more than ${most} visible headings`);
    waiting.push(entry.get('/Next'), entry.get('/First'));
  }
  return items;
}

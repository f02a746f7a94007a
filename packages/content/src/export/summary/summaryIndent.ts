import { contentLimits } from '@bindery/dialect/repository-format';
import { isBlank, widthOf, type Line } from './summaryLines.ts';
import type { EntryElement } from './summaryOutline.ts';

type OpenItem = { element: EntryElement; contentColumn: number };

/** Follows which items a list has open, to tell below which page an entry with a certain space in front would stand. */
export type Indentation = {
  /** The first of some prefixes with which the entry stands below its page. */
  choose(element: EntryElement, candidates: Iterable<string>): string | undefined;
  /** Called with every entry that is written, in their order. */
  open(element: EntryElement, written: { prefix: string; marker: string }): void;
  /** What else is written ends the items that it is not indented enough for. */
  pass(lines: readonly Line[]): void;
  /** A heading or a rule ends every list. */
  clear(): void;
};

export function createIndentation(): Indentation {
  let items: OpenItem[] = [];

  function closedTo(column: number): OpenItem[] {
    let count = items.length;
    while (count > 0 && column < (items[count - 1] as OpenItem).contentColumn) count -= 1;
    return items.slice(0, count);
  }

  function isBelow(prefix: string, above: EntryElement | undefined): boolean {
    const column = widthOf(prefix);
    const item = closedTo(column).at(-1);
    // Four columns further in would be code.
    if (column - (item?.contentColumn ?? 0) > 3) return false;
    let page = item?.element;
    // What cannot have pages below it has them beside it.
    while (page && (!('pages' in page.page) || page.depth + 1 >= contentLimits.pageDepth)) page = page.above;
    return page === above;
  }

  return {
    choose(element, candidates) {
      for (const prefix of candidates) if (isBelow(prefix, element.above)) return prefix;
      return undefined;
    },
    open(element, { prefix, marker }) {
      const column = widthOf(prefix);
      const bullet = marker.trimEnd();
      const space = widthOf(prefix + marker) - column - bullet.length;
      // More space than that, or none, is no part of what stands in front of the text.
      const contentColumn = column + bullet.length + (space >= 1 && space <= 4 ? space : 1);
      items = [...closedTo(column), { element, contentColumn }];
    },
    pass(lines) {
      for (const line of lines) if (!isBlank(line)) items = closedTo(widthOf(/^[ \t>]*/.exec(line.text)?.[0] ?? ''));
    },
    clear() {
      items = [];
    },
  };
}

import { contentLimits } from '@bindery/dialect/repository-format';
import { isBlank, widthOf, type Line } from './summaryLines.ts';
import type { EntryElement } from './summaryOutline.ts';

type OpenItem = { element: EntryElement; contentColumn: number };

/** Tracks the open items of a list, to tell below which page an entry with a given indentation would be. */
export type Indentation = {
  /** Returns the first of the given prefixes that puts the entry below its page. */
  choose(element: EntryElement, candidates: Iterable<string>): string | undefined;
  /** Must be called for every written entry, in order. */
  open(element: EntryElement, written: { prefix: string; marker: string }): void;
  /** Must be called for all other lines: they close the items that they are not indented enough for. */
  pass(lines: readonly Line[]): void;
  /** Must be called for a heading or a rule, which closes every list. */
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
    // Four more columns would make it code.
    if (column - (item?.contentColumn ?? 0) > 3) return false;
    let page = item?.element;
    // An entry below a page that cannot have pages below it becomes its sibling.
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
      // More than four spaces, or none, are not part of the indentation of the content.
      const contentColumn = column + bullet.length + (space >= 1 && space <= 4 ? space : 1);
      items = [...closedTo(column), { element, contentColumn }];
    },
    pass(lines) {
      for (const line of lines)
        if (!isBlank(line)) items = closedTo(widthOf(/^[ \t>]*/.exec(line.text)?.[0] ?? ''));
    },
    clear() {
      items = [];
    },
  };
}

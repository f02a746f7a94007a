import type { TargetReader } from './navigationTargets.ts';
import { changedText, freshText, says } from './summaryEntry.ts';
import { changedHeading } from './summaryHeading.ts';
import { createIndentation } from './summaryIndent.ts';
import { hasText, isBlank, widthOf, withPrefix, type Line } from './summaryLines.ts';
import type { Element, EntryElement } from './summaryOutline.ts';
import type { EntryBlock, Source, SourceBlock } from './summarySource.ts';
import { pairOf, type SummaryStyle } from './summaryStyle.ts';

/**
 * Assembles the lines of a file: those of blocks that represent an element, new ones for the other elements,
 * and the lines between.
 */
export function layOut(
  elements: readonly Element[],
  { source, style, targets }: { source: Source; style: SummaryStyle; targets: TargetReader },
): Line[] {
  const { preamble, blocks, epilogue } = source;
  const { leads, rest } = inheritedLeads(elements, blocks);
  const indentation = createIndentation();
  /** The prefix and marker of each written entry, and the last entry below each page. */
  const written = new Map<EntryElement, { prefix: string; marker: string }>();
  const lastBelow = new Map<EntryElement | undefined, EntryElement>();
  const lines: Line[] = [...preamble];
  // One at a time: a million arguments of one call would overflow the stack.
  const add = (more: readonly Line[]) => more.forEach((line) => lines.push(line));
  let before: Element | undefined;

  for (const element of elements) {
    const gap = gapBefore(element, before);
    indentation.pass(gap);
    add(gap);
    if (element.kind === 'entry') add(linesOfEntry(element));
    else {
      indentation.clear();
      lastBelow.clear();
      add(linesOfHeading(element));
    }
    before = element;
  }
  const tail = [...rest, ...epilogue];
  const isAsBefore = before?.block !== undefined && before.block === blocks.at(-1);
  // Directly after an entry, text would become part of it.
  if (before && !isAsBefore && tail[0] && !isBlank(tail[0])) add(blankLines(1));
  return [...lines, ...tail];

  function linesOfHeading(element: Exclude<Element, EntryElement>): readonly Line[] {
    if (element.kind === 'rest') return element.block?.lines ?? newLines(['***']);
    const { block, title } = element;
    if (block?.title === title) return block.lines;
    return newLines([changedHeading(title, { block, hashes: style.hashes })]);
  }

  function linesOfEntry(element: EntryElement): readonly Line[] {
    const { block, page, above } = element;
    const { prefix, marker } = placeOf(element);
    written.set(element, { prefix, marker });
    lastBelow.set(above, element);
    indentation.open(element, { prefix, marker });
    if (!block) return entryLines(freshText(page, targets), { prefix, marker });
    const own = says(block.entry, page, targets) ? block.lines : changedLines(block, element);
    return own.map((line) => withPrefix(line, { from: block.prefix, to: prefix }));
  }

  function placeOf(element: EntryElement): { prefix: string; marker: string } {
    const { block, above } = element;
    const sibling = lastBelow.get(above);
    const marker = block?.marker ?? nextMarker(sibling && written.get(sibling)?.marker) ?? style.marker;
    const prefix = indentation.choose(element, prefixes());
    return { prefix: prefix ?? '', marker };

    function* prefixes(): Iterable<string> {
      const outer = above && written.get(above);
      if (block) {
        const from = block.above?.prefix;
        if (outer && from !== undefined && block.above === above?.block && block.prefix.startsWith(from))
          yield outer.prefix + block.prefix.slice(from.length);
        yield block.prefix;
      }
      const beside = sibling && written.get(sibling);
      if (beside) yield beside.prefix;
      if (!outer) yield '';
      else {
        yield outer.prefix + style.indent;
        yield outer.prefix + ' '.repeat(widthOf(outer.marker.trimEnd()) + 1);
        yield outer.prefix + ' '.repeat(widthOf(outer.marker));
      }
    }
  }

  function changedLines(block: EntryBlock, { page }: EntryElement): readonly Line[] {
    const [first, ...others] = block.lines;
    if (block.contentLines !== 1 || page.kind === 'computed' || !first) {
      const fresh = entryLines(freshText(page, targets), block);
      return page.kind === 'computed'
        ? fresh
        : [...fresh, ...block.lines.slice(Math.max(1, block.contentLines))];
    }
    const [text = ''] = changedText(block.content, { entry: block.entry, page, targets });
    const at = first.text.indexOf(block.content, (block.prefix + block.marker).length);
    const changed =
      at < 0
        ? block.prefix + block.marker + text
        : first.text.slice(0, at) + text + first.text.slice(at + block.content.length);
    return [{ ...first, text: changed }, ...others];
  }

  function entryLines(
    text: readonly string[],
    { prefix, marker }: { prefix: string; marker: string },
  ): Line[] {
    const space = /[ \t]$/.test(marker) ? marker : `${marker} `;
    return newLines(
      text.map((line, index) => prefix + (index === 0 ? space : ' '.repeat(widthOf(space))) + line),
    );
  }

  function gapBefore(element: Element, previous: Element | undefined): readonly Line[] {
    const lead = element.block ? (leads.get(element.block) ?? []) : [];
    const pair = previous && pairOf(previous, element);
    if (!previous) {
      if (hasText(lead) || (element.block && element.block === blocks[0])) return lead;
      const last = preamble.at(-1);
      const isTight = blocks[0]?.kind === element.kind;
      return !last || isBlank(last) || isTight ? [] : blankLines(1);
    }
    const successor = previous.block && blocks[previous.block.index + 1];
    if (element.block && element.block === successor) return lead;
    if (hasText(lead)) return lead[0] && isBlank(lead[0]) ? lead : [...blankLines(1), ...lead];
    if (previous.block && successor && pairOf(previous.block, successor) === pair && !hasText(successor.lead))
      return successor.lead;
    const predecessor = element.block && blocks[element.block.index - 1];
    if (predecessor && pairOf(predecessor, element.block as SourceBlock) === pair) return lead;
    return blankLines(
      style.blanks.get(pair as string) ?? (previous.kind === 'entry' && element.kind === 'entry' ? 0 : 1),
    );
  }

  function newLines(texts: readonly string[]): Line[] {
    return texts.map((text) => ({ text, ending: style.ending }));
  }
  function blankLines(count: number): Line[] {
    return newLines(Array.from({ length: count }, () => ''));
  }
}

/** The lines before each kept block, including those before removed blocks that preceded it. */
function inheritedLeads(
  elements: readonly Element[],
  blocks: readonly SourceBlock[],
): { leads: ReadonlyMap<SourceBlock, readonly Line[]>; rest: readonly Line[] } {
  const used = new Set<SourceBlock>(elements.flatMap(({ block }) => (block ? [block] : [])));
  const leads = new Map<SourceBlock, readonly Line[]>();
  let orphans: readonly Line[] = [];
  for (const block of blocks) {
    if (used.has(block)) {
      leads.set(block, orphans.length > 0 ? [...orphans, ...block.lead] : block.lead);
      orphans = [];
    } else if (hasText(block.lead) && !(block.kind === 'group' && block.hasOrnament)) {
      orphans = [...orphans, ...block.lead];
    }
  }
  return { leads, rest: orphans };
}

/** The bullet of a new entry next to another one; numbers increase. */
function nextMarker(marker: string | undefined): string | undefined {
  const [, number, rest, bullet] = /^(?:(\d{1,8})([.)][ \t]+)|([*+-][ \t]+))$/.exec(marker ?? '') ?? [];
  return number === undefined ? bullet : `${Number(number) + 1}${rest}`;
}

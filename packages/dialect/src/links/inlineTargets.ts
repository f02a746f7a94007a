import { unescaped } from '../syntax/commonMark.ts';
import type { FoundTarget } from './foundTarget.ts';
import { blockTagAt, elementReader, elementTargets, type ElementTag } from './tagTargets.ts';

type Opener = { start: number; isImage: boolean };

/** More than anybody nests; bounds the search for the end of a target. */
const maxParentheses = 32;

/**
 * Finds the targets in the text of one paragraph, heading or table: of links, images and leading definitions,
 * of HTML and of block tags. Pairs brackets from the inside out, after code, math and HTML, as in CommonMark.
 */
export function inlineTargets(text: string): FoundTarget[] {
  const found: FoundTarget[] = [];
  const elements: ElementTag[] = [];
  const openers: Opener[] = [];
  const endOfSpan = spanEnds(text);
  const elementAt = elementReader(text);
  // Openers below this index cannot begin a link any more, because links do not nest.
  let inactiveBelow = 0;
  let position = definitionsAt(text, found);
  while (position < text.length) {
    const letter = text[position] as string;
    const following = text[position + 1];
    let next = position + 1;
    if (letter === '\\') next = position + 2;
    else if (letter === '`' || (letter === '$' && following === '$')) next = endOfSpan(position);
    else if (letter === '<') {
      const element = elementAt(position);
      if (element) elements.push(element);
      next = element?.end ?? next;
    } else if (letter === '{' && following === '%') {
      const tag = blockTagAt(text, position);
      found.push(...tag.targets);
      next = tag.end;
    } else if (letter === '!' && following === '[') {
      openers.push({ start: position, isImage: true });
      next = position + 2;
    } else if (letter === '[') openers.push({ start: position, isImage: false });
    else if (letter === ']') {
      const opener = openers.pop();
      const isActive = opener && (opener.isImage || openers.length >= inactiveBelow);
      inactiveBelow = Math.min(inactiveBelow, openers.length);
      const resource = isActive ? resourceAt(text, position + 1) : undefined;
      if (opener && resource) {
        found.push(linkOf({ opener, close: position, resource }));
        if (!opener.isImage) inactiveBelow = openers.length;
        next = resource.end;
      }
    }
    position = next;
  }
  found.push(...elementTargets(elements));
  return found;
}

/**
 * Returns a function for the end of code and math that begins at a position: after the next run of the same
 * length, or else after the run itself.
 */
function spanEnds(text: string): (position: number) => number {
  const runs = new Map<string, number[]>();
  for (const { index, 0: run } of text.matchAll(/`+|\$\$+/g)) {
    const starts = runs.get(run);
    if (starts) starts.push(index);
    else runs.set(run, [index]);
  }
  const passed = new Map<string, number>();
  return (position) => {
    let end = position + 1;
    while (text[end] === text[position]) end += 1;
    const run = text.slice(position, end);
    const starts = runs.get(run) ?? [];
    let at = passed.get(run) ?? 0;
    while (at < starts.length && (starts[at] as number) < end) at += 1;
    passed.set(run, at);
    const close = starts[at];
    return close === undefined ? end : close + run.length;
  };
}

type Destination = { target: string; start: number; end: number };
type Resource = { destination: Destination; end: number };

/** Reads `(target "title")` after a bracket. */
function resourceAt(text: string, position: number): Resource | undefined {
  if (text[position] !== '(') return undefined;
  const destination = destinationAt(text, after(/[ \t]*\n?[ \t]*/y, { text, at: position + 1 }));
  if (!destination) return undefined;
  let end = destination.end;
  const titled = after(/[ \t\n]+(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\))/y, {
    text,
    at: end,
  });
  if (titled > end) end = titled;
  end = after(/[ \t]*\n?[ \t]*/y, { text, at: end });
  return text[end] === ')' ? { destination, end: end + 1 } : undefined;
}

/**
 * Reads a destination by the rules of CommonMark: in angle brackets, or without white space and with balanced
 * parentheses.
 */
function destinationAt(text: string, start: number): Destination | undefined {
  if (text[start] === '<') {
    const end = after(/<(?:[^<>\\\n]|\\.)*>/y, { text, at: start });
    return end > start ? { target: unescaped(text.slice(start + 1, end - 1)), start, end } : undefined;
  }
  let open = 0;
  let end = start;
  for (; end < text.length; end += 1) {
    const letter = text[end] as string;
    if (letter === '\\') end += 1;
    else if (letter <= ' ' || letter === '\u007f') break;
    else if (letter === '(' && (open += 1) > maxParentheses) return undefined;
    else if (letter === ')' && (open -= 1) < 0) break;
  }
  end = Math.min(end, text.length);
  return open > 0 ? undefined : { target: unescaped(text.slice(start, end)), start, end };
}

function after(pattern: RegExp, { text, at }: { text: string; at: number }): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function linkOf({
  opener,
  close,
  resource,
}: {
  opener: Opener;
  close: number;
  resource: Resource;
}): FoundTarget {
  const { target, start, end } = resource.destination;
  return {
    target,
    use: opener.isImage ? 'image' : 'link',
    start,
    end,
    write: writeDestination,
    shown: () => [
      { start: opener.start, end: opener.start + (opener.isImage ? 2 : 1), text: '' },
      { start: close, end: resource.end, text: '' },
    ],
  };
}

function writeDestination(target: string): string {
  const isBare = /^[^\s<>()\\\u007f][^\s()\\\u007f]*$/.test(target);
  const special = isBare ? /&(?=#|[a-z][a-z0-9]*;)/gi : /[\\<>]|&(?=#|[a-z][a-z0-9]*;)/gi;
  const escaped = target.replaceAll(special, String.raw`\$&`).replaceAll(/[\r\n]+/g, '%0A');
  return isBare ? escaped : `<${escaped}>`;
}

/**
 * Reads the definitions at the beginning of a paragraph.
 *
 * @returns the start of its text
 */
function definitionsAt(text: string, found: FoundTarget[]): number {
  let position = 0;
  for (;;) {
    // Footnotes look like definitions, but contain text.
    const label = after(/[ \t]*\[(?!\^)(?:[^[\]\\]|\\[^]){1,999}\]:[ \t]*\n?[ \t]*/y, { text, at: position });
    const destination = label > position ? destinationAt(text, label) : undefined;
    if (!destination || destination.end === destination.start) return position;
    const title =
      /(?:[ \t]+|[ \t]*\n[ \t]*)(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\))[ \t]*(?:\n|$)/y;
    const titled = after(title, { text, at: destination.end });
    const end = titled > destination.end ? titled : after(/[ \t]*(?:\n|$)/y, { text, at: destination.end });
    if (end === destination.end && end < text.length) return position;
    found.push({
      target: destination.target,
      use: 'link',
      start: destination.start,
      end: destination.end,
      write: writeDestination,
    });
    if (end >= text.length) return text.length;
    position = end;
  }
}

/**
 * A block of Markdown: its lines without the last line ending, and the gap before the next block: that line
 * ending and blank lines.
 */
export type Block = { text: string; gap: string };

/**
 * Splits Markdown into its top-level blocks; joined again they are the same text, byte for byte.
 *
 * A block includes all of a code fence, a formula, a tag with its closing tag (`{% hint %}` to `{% endhint
 * %}`), or an HTML element with its closing tag. Every other block ends at a blank line or where one of
 * those, or a heading, begins. Linear in the length of the text.
 *
 * @param body  one character per byte (latin1), so that bytes that are not UTF-8 are preserved
 */
export function splitBlocks(body: string): Block[] {
  const lines = linesOf(body);
  const ends = endsOfPairs(lines);
  const blocks: Block[] = [];
  const add = (start: number, end: number, next: number) => {
    const last = lines[end - 1] as Line;
    const from = (lines[start] as Line).start;
    const to = last.start + last.text.length;
    blocks.push({
      text: body.slice(from, to),
      gap: body.slice(to, next < lines.length ? (lines[next] as Line).start : body.length),
    });
  };
  let at = skipBlank(lines, 0);
  if (at > 0)
    blocks.push({
      text: '',
      gap: body.slice(0, at < lines.length ? (lines[at] as Line).start : body.length),
    });
  while (at < lines.length) {
    const end = endOfBlock(lines, at, ends);
    const next = skipBlank(lines, end);
    add(at, end, next);
    at = next;
  }
  return blocks;
}

/** A line without its ending. */
type Line = { start: number; text: string };

function linesOf(body: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < body.length;) {
    const feed = body.indexOf('\n', start);
    const end = feed === -1 ? body.length : feed;
    const text = body.slice(start, end > start && body[end - 1] === '\r' ? end - 1 : end);
    lines.push({ start, text });
    start = feed === -1 ? body.length : feed + 1;
  }
  return lines;
}

// Not \s, which would match parts of letters in text of bytes.
const blank = /^[ \t]*$/;
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const fence = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))([^\r\n]*)$/;
const formula = /^\$\$[ \t]*$/;
const tag = /^[ \t]*\{%-?[ \t]*([a-zA-Z][\w-]*)/;
const element =
  /^ {0,3}<(table|details|figure|div|ul|ol|dl|pre|blockquote|section|article|aside|picture|video|audio|iframe|center|p|script|style)(?=[ \t>/]|$)/i;

function skipBlank(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && blank.test((lines[at] as Line).text)) at += 1;
  return at;
}

/** @returns the line after the last one of the block that begins here */
function endOfBlock(lines: readonly Line[], start: number, ends: ReadonlyMap<number, number>): number {
  const paired = ends.get(start);
  if (paired !== undefined) return paired + 1;
  const { text } = lines[start] as Line;
  if (heading.test(text) || tag.test(text)) return start + 1;
  let at = start + 1;
  while (at < lines.length) {
    const line = (lines[at] as Line).text;
    if (blank.test(line) || ends.has(at) || heading.test(line) || tag.test(line)) break;
    at += 1;
  }
  return at;
}

/** For each opening line, its closing line. Only the outermost pairs matter. */
function endsOfPairs(lines: readonly Line[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: { name: string; line: number }[] = [];
  const openByName = new Map<string, number>();
  const count = (name: string, by: number) => openByName.set(name, (openByName.get(name) ?? 0) + by);
  const close = (name: string, line: number) => {
    if (!openByName.get(name)) return;
    for (let top = open.pop(); top; top = open.pop()) {
      count(top.name, -1);
      if (top.name !== name) continue;
      ends.set(top.line, line);
      return;
    }
  };
  for (let at = 0; at < lines.length; at += 1) {
    const { text } = lines[at] as Line;
    const opened = fence.exec(text);
    if (opened && !(opened[1]?.startsWith('`') && opened[2]?.includes('`'))) {
      const end = endOfFence(lines, at, opened[1] as string);
      ends.set(at, end);
      at = end;
      continue;
    }
    if (formula.test(text)) {
      if (openByName.get('$$')) close('$$', at);
      else {
        open.push({ name: '$$', line: at });
        count('$$', 1);
      }
      continue;
    }
    const closers = closersOn(text);
    const opener = openerOn(text);
    const own = opener === undefined ? -1 : closers.indexOf(opener);
    if (own !== -1) closers.splice(own, 1);
    else if (opener !== undefined) {
      open.push({ name: opener, line: at });
      count(opener, 1);
    }
    for (const key of closers) close(key, at);
  }
  return ends;
}

function openerOn(text: string): string | undefined {
  const name = tag.exec(text)?.[1]?.toLowerCase();
  if (name !== undefined) return name.startsWith('end') ? undefined : `%${name}`;
  const html = element.exec(text)?.[1]?.toLowerCase();
  return html && `<${html}`;
}

function closersOn(text: string): string[] {
  if (!text.includes('end') && !text.includes('</')) return [];
  const tags = [...text.matchAll(/\{%-?[ \t]*end([a-zA-Z][\w-]*)/g)].map(
    ([, name = '']) => `%${name.toLowerCase()}`,
  );
  return [
    ...tags,
    ...[...text.matchAll(/<\/([a-zA-Z][\w-]*)/g)].map(([, name = '']) => `<${name.toLowerCase()}`),
  ];
}

/** The closing line; without one, the code continues to the end. */
function endOfFence(lines: readonly Line[], start: number, marker: string): number {
  for (let at = start + 1; at < lines.length; at += 1) {
    const closing = fence.exec((lines[at] as Line).text);
    if (closing?.[1]?.startsWith(marker) && blank.test(closing[2] ?? '')) return at;
  }
  return skipBackBlank(lines, lines.length - 1);
}

function skipBackBlank(lines: readonly Line[], from: number): number {
  let at = from;
  while (at > 0 && blank.test((lines[at] as Line).text)) at -= 1;
  return at;
}

import MarkdownIt from 'markdown-it';

/**
 * A piece of a source that may contain links: the text of a paragraph or the like, or a block of HTML. `at`
 * converts positions to those in the source.
 */
export type Region = { kind: 'text' | 'html'; text: string; at: (position: number) => number };

const parser = new MarkdownIt('commonmark', { maxNesting: 100 });
// Parses only blocks. Definitions stay text, so that their targets are found in place.
parser.core.ruler.enableOnly(['normalize', 'block']);
parser.block.ruler.disable('reference');
parser.block.ruler.before(
  'fence',
  'math',
  (state, startLine, endLine, isSilent) => {
    const isFence = (line: number) =>
      (state.sCount[line] ?? 0) - state.blkIndent < 4 &&
      /^\$\$+[ \t]*$/.test(
        state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]),
      );
    if (!isFence(startLine)) return false;
    if (isSilent) return true;
    let line = startLine + 1;
    while (line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent && !isFence(line)) line += 1;
    state.line = Math.min(line + 1, endLine);
    return true;
  },
  { alt: ['paragraph', 'blockquote', 'list'] },
);

/** Yields the regions of a Markdown source in order. Excludes code, and math between `$$` lines. */
export function* markdownRegions(markdown: string): Iterable<Region> {
  const tokens = parser.parse(markdown, {});
  const lines = linesOf(markdown);
  for (const { type, content, map } of tokens) {
    if (!map) continue;
    if (type === 'html_block') {
      const [start, end] = [lines[map[0]]?.start ?? 0, lines[map[1] - 1]?.end ?? markdown.length];
      yield { kind: 'html', text: markdown.slice(start, end), at: (position) => start + position };
    } else if (type === 'inline') {
      yield {
        kind: 'text',
        text: content,
        at: positionsOf(content, { markdown, lines, from: map[0], to: map[1] }),
      };
    }
  }
}

type Line = { start: number; end: number };

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const {
    index,
    0: { length },
  } of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ start, end: index });
    start = index + length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/**
 * The content of a paragraph consists of its lines without their prefixes: indents, and the marks of quotes.
 */
function positionsOf(
  content: string,
  { markdown, lines, from, to }: { markdown: string; lines: Line[]; from: number; to: number },
) {
  const starts: { content: number; source: number }[] = [];
  let position = 0;
  let line = from;
  for (const part of content.split('\n')) {
    for (let found = false; !found && line < to; line += 1) {
      const { start, end } = lines[line] as Line;
      const source = markdown.slice(start, end).lastIndexOf(part);
      const trimmed = source < 0 ? markdown.slice(start, end).lastIndexOf(part.trimStart()) : source;
      if (trimmed < 0) continue;
      found = true;
      const skipped = source < 0 ? part.length - part.trimStart().length : 0;
      starts.push({ content: position, source: start + trimmed - skipped });
    }
    position += part.length + 1;
  }
  let last = 0;
  return (wanted: number): number => {
    // Positions are usually requested in ascending order.
    if ((starts[last]?.content ?? 0) > wanted) last = 0;
    while (last + 1 < starts.length && (starts[last + 1] as { content: number }).content <= wanted) last += 1;
    const { content: base, source } = starts[last] ?? { content: 0, source: 0 };
    return source + wanted - base;
  };
}

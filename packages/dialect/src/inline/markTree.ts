import type { DocumentInline, DocumentNode, DocumentText } from '@bindery/contract';

export type Mark = DocumentText['leaves'][number]['marks'][number];

/**
 * Text and inlines for writing Markdown and HTML: marks surround adjacent pieces that share them, instead of
 * being on each piece.
 */
export type Marked = string | MarkedInline | { mark: Mark; children: Marked[] };
/** An inline, with those marks of its text that are not written around it. */
export type MarkedInline = { inline: DocumentInline; children: Marked[] };

type Piece = { marks: Mark[]; content: string | { inline: DocumentInline; pieces: Piece[] } };

/**
 * Converts the content of a paragraph, a heading, a link and the like; adjacent pieces with equal marks are
 * joined.
 */
export function markTree(nodes: readonly DocumentNode[]): Marked[] {
  return grouped(piecesOf(nodes), 0);
}

function piecesOf(nodes: readonly DocumentNode[]): Piece[] {
  const pieces: Piece[] = [];
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves)
        if (text !== '') pieces.push({ marks: distinct(marks), content: text });
    } else if (node.object === 'inline') {
      pieces.push({ marks: [], content: { inline: node, pieces: piecesOf(node.nodes ?? []) } });
    }
  }
  takeMarksAround(pieces);
  return pieces;
}

/**
 * Gives inlines, which have no marks, those of their surroundings: one between two bold pieces is written
 * inside the same pair of asterisks; a link with only bold text joins the bold text next to it.
 */
function takeMarksAround(pieces: Piece[]): void {
  const next: Mark[][] = [];
  let following: Mark[] = [];
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const { marks, content } = pieces[index] as Piece;
    next[index] = following;
    if (typeof content === 'string') following = marks;
    else if (content.pieces.length > 0) following = commonIn(content.pieces);
  }
  let previous: Mark[] = [];
  for (const [index, piece] of pieces.entries()) {
    const { content } = piece;
    if (typeof content !== 'string') {
      const own = content.pieces.length > 0 ? commonIn(content.pieces) : undefined;
      const before = own ? common(own, previous) : common(previous, next[index] ?? []);
      const after = own ? common(own, next[index] ?? []) : before;
      piece.marks = (before.length > after.length ? before : after).filter(({ type }) => type !== 'code');
      for (const inner of content.pieces) inner.marks = inner.marks.slice(piece.marks.length);
    }
    previous = piece.marks;
  }
}

function commonIn(pieces: readonly Piece[]): Mark[] {
  let marks: Mark[] | undefined;
  for (const piece of pieces) marks = marks ? common(marks, piece.marks) : piece.marks;
  return marks ?? [];
}

function common(some: readonly Mark[], others: readonly Mark[]): Mark[] {
  let length = 0;
  while (
    length < some.length &&
    length < others.length &&
    isSame(some[length] as Mark, others[length] as Mark)
  )
    length += 1;
  return some.slice(0, length);
}

/** Removes duplicate marks, and puts code innermost, because it contains no markup. */
function distinct(marks: readonly Mark[]): Mark[] {
  const byType = new Map<string, Mark>();
  for (const mark of marks) if (!byType.has(mark.type) && !isNoColor(mark)) byType.set(mark.type, mark);
  const code = byType.get('code');
  byType.delete('code');
  return [...byType.values(), ...(code ? [code] : [])];
}

function isNoColor({ type, data }: Mark): boolean {
  return type === 'color' && data?.['text'] === 'default' && data['background'] === 'default';
}

function isSame(one: Mark, other: Mark): boolean {
  if (one.type !== other.type) return false;
  return (
    one.type !== 'color' ||
    (one.data?.['text'] === other.data?.['text'] && one.data?.['background'] === other.data?.['background'])
  );
}

function grouped(pieces: readonly Piece[], depth: number): Marked[] {
  const result: Marked[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const { marks, content } = pieces[index] as Piece;
    const mark = marks[depth];
    if (mark) {
      let end = index + 1;
      while (end < pieces.length && isMarked(pieces[end] as Piece, mark, depth)) end += 1;
      result.push({ mark, children: grouped(pieces.slice(index, end), depth + 1) });
      index = end - 1;
    } else if (typeof content === 'string') {
      const last = result.at(-1);
      if (typeof last === 'string') result[result.length - 1] = last + content;
      else result.push(content);
    } else {
      result.push({ inline: content.inline, children: grouped(content.pieces, 0) });
    }
  }
  return result;
}

function isMarked({ marks }: Piece, mark: Mark, depth: number): boolean {
  const own = marks[depth];
  return own !== undefined && isSame(own, mark);
}

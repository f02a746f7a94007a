/**
 * Counts the characters that a parser searches in vain for the end of a span: of code, `$$`, a comment or the
 * like. Without an end, it searches up to the next blank line; a paragraph full of openings then takes
 * quadratic time.
 */
export class SpanCost {
  private readonly source: string;
  private readonly next = new Map<string, number>();
  private runs: Map<number, number[]> | undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the number of characters searched in vain. */
  at(offset: number): number {
    const { source } = this;
    const [first, after] = [source[offset], source[offset + 1]];
    if (first === '`') return source[offset - 1] === '`' ? 0 : this.inVain(offset, this.nextRun(offset));
    if (first === '$') return after === '$' ? this.inVain(offset, this.nextOf('$$', offset + 2)) : 0;
    if (first !== '<') return 0;
    if (after === '?') return this.inVain(offset, this.nextOf('?>', offset + 2));
    if (after !== '!') return 0;
    return this.inVain(offset, this.nextOf(endOfDeclaration(source, offset + 2), offset + 2));
  }

  toLineEnd(offset: number): number {
    return this.nextOf('\n', offset) - offset;
  }

  private inVain(offset: number, end: number): number {
    const blank = this.nextOf('\n\n', offset);
    return end < blank ? 0 : blank - offset;
  }

  /** Finds the next mark; caches each result, because positions are mostly ascending. */
  private nextOf(mark: string, from: number): number {
    const known = this.next.get(mark);
    if (known !== undefined && known >= from) {
      const before = this.next.get(`${mark} from`) ?? 0;
      if (before <= from) return known;
    }
    const found = this.source.indexOf(mark, from);
    const next = found < 0 ? this.source.length : found;
    this.next.set(mark, next);
    this.next.set(`${mark} from`, from);
    return next;
  }

  /** Finds the next run of the same number of backticks. */
  private nextRun(offset: number): number {
    this.runs ??= runsOf(this.source);
    let length = 1;
    while (this.source[offset + length] === '`') length += 1;
    const positions = this.runs.get(length) ?? [];
    let low = 0;
    let high = positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((positions[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return positions[low] ?? this.source.length;
  }
}

function runsOf(source: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { index, 0: run } of source.matchAll(/`+/g)) {
    const positions = runs.get(run.length) ?? [];
    positions.push(index);
    runs.set(run.length, positions);
  }
  return runs;
}

/** Returns the end of CDATA, a comment or a declaration, by what follows its `<!`. */
function endOfDeclaration(source: string, start: number): string {
  if (source.startsWith('[CDATA[', start)) return ']]>';
  return source.startsWith('--', start) ? '-->' : '>';
}

import { badPdf } from '../problems.ts';
import { byteKinds } from '../syntax/parser.ts';

export type MarkedContents = {
  /** Undefined when nothing had to be inserted. */
  content: Buffer | undefined;
  /** One more than the largest number of marked content (MCID). */
  markCount: number;
};

const begin = Buffer.from('/Artifact BMC\n');
const end = Buffer.from('\nEMC\n');

/**
 * Declares as artifacts what a page paints outside marked content: texts of margin boxes, backgrounds, rules.
 * A reader for the blind then skips it.
 *
 * @param isTagged whether a form that the page paints has marked content of its own
 */
export function markArtifacts(content: Buffer, isTagged: (formName: string) => boolean): MarkedContents {
  const marker = new Marker(isTagged);
  scanOperators(content, marker);
  return marker.finish(content);
}

/** Where an operator is, with its operands. */
type Operation = { operator: string; start: number; end: number; content: Buffer };

class Marker {
  readonly #isTagged: (formName: string) => boolean;
  /** Each open mark: whether it gives the content a meaning. */
  readonly #marks: boolean[] = [];
  #meaningful = 0;
  /** Begin of the path, or of the text object, that is not painted yet. */
  #pathStart: number | undefined;
  #textStart: number | undefined;
  #hasMarksInText = false;
  /** Show operators of the text object outside marked content. */
  #shown: { start: number; end: number }[] = [];
  /** Ranges to be wrapped, in order. */
  readonly #ranges: { start: number; end: number }[] = [];
  /** Operators after which a range cannot grow. */
  #fence = 0;
  #markCount = 0;

  constructor(isTagged: (formName: string) => boolean) {
    this.#isTagged = isTagged;
  }

  take(operation: Operation): void {
    const { operator, start, end: endAt } = operation;
    switch (operator) {
      case 'BDC':
      case 'BMC':
        this.#open(operation);
        break;
      case 'EMC':
        if (this.#marks.length === 0) throw badPdf('a page ends marked content that it did not begin');
        if (this.#marks.pop()) this.#meaningful -= 1;
        this.#fence = endAt;
        break;
      case 'BT':
        this.#textStart = start;
        this.#hasMarksInText = false;
        this.#shown = [];
        break;
      case 'ET':
        this.#endText(endAt);
        break;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        if (this.#meaningful === 0) this.#shown.push({ start, end: endAt });
        break;
      case 'm':
      case 're':
        this.#pathStart ??= start;
        break;
      case 'f':
      case 'F':
      case 'f*':
      case 'S':
      case 's':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        this.#wrap(this.#pathStart ?? start, endAt);
        this.#pathStart = undefined;
        break;
      case 'n':
        this.#pathStart = undefined;
        break;
      case 'sh':
        this.#wrap(start, endAt);
        break;
      case 'Do':
        if (this.#isTagged(nameIn(operation))) this.#fence = endAt;
        else this.#wrap(start, endAt);
        break;
      case 'q':
      case 'Q':
        this.#fence = endAt;
        break;
      case 'BI':
        throw badPdf('a page has an image in its contents, as Chromium writes none');
    }
  }

  finish(content: Buffer): MarkedContents {
    if (this.#marks.length > 0) throw badPdf('a page does not end its marked content');
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const { start, end: endAt } of this.#ranges) {
      parts.push(content.subarray(at, start), begin, content.subarray(start, endAt), end);
      at = endAt;
    }
    parts.push(content.subarray(at));
    return {
      content: this.#ranges.length > 0 ? Buffer.concat(parts) : undefined,
      markCount: this.#markCount,
    };
  }

  #open({ operator, start, end: endAt, content }: Operation): void {
    const operands = content.toString('latin1', start, endAt);
    const id = operator === 'BDC' ? /\/MCID\s+(\d{1,9})(?!\d)/.exec(operands)?.[1] : undefined;
    const isMeaningful = id !== undefined || /^\s*\/Artifact\b/.test(operands);
    this.#marks.push(isMeaningful);
    if (isMeaningful) {
      this.#meaningful += 1;
      if (this.#textStart !== undefined) this.#hasMarksInText = true;
    }
    if (id !== undefined) this.#markCount = Math.max(this.#markCount, Number(id) + 1);
    this.#fence = endAt;
  }

  #endText(endAt: number): void {
    // Marks may not cross the border of a text object, so it is wrapped as a whole where that is possible.
    if (this.#hasMarksInText) for (const shown of this.#shown) this.#ranges.push(shown);
    else if (this.#textStart !== undefined && this.#shown.length > 0) this.#wrap(this.#textStart, endAt);
    this.#textStart = undefined;
    if (this.#hasMarksInText) this.#fence = endAt;
  }

  #wrap(start: number, endAt: number): void {
    if (this.#meaningful > 0) return;
    const last = this.#ranges.at(-1);
    // Between two such ranges only colours and the like were set.
    if (last && last.end >= this.#fence) last.end = endAt;
    else this.#ranges.push({ start, end: endAt });
  }
}

function nameIn({ content, start, end: endAt }: Operation): string {
  const operation = content.toString('latin1', start, endAt);
  return /^(\/\S+)\s*Do$/.exec(operation.slice(Math.max(0, operation.lastIndexOf('/'))))?.[1] ?? '';
}

/**
 * Finds the operators, each of which starts where the one before ended. Every step moves forward. Words in
 * arrays and dictionaries are operands.
 */
function scanOperators(content: Buffer, marker: Marker): void {
  let start = 0;
  let depth = 0;
  for (let at = 0; at < content.length;) {
    const byte = content[at]!;
    if (byteKinds[byte] === 1) at += 1;
    else if (byteKinds[byte] === 2) {
      const isDouble = content[at + 1] === byte;
      if (byte === openArray || (byte === less && isDouble)) depth += 1;
      else if (byte === closeArray || (byte === greater && isDouble)) depth -= 1;
      at = endOfDelimited(content, at, byte, isDouble);
    } else {
      const token = at;
      at = endOfRegular(content, at + 1);
      if (depth > 0 || isNumeric(byte)) continue;
      const operator = at - token <= 3 ? operators.get(operatorCode(content, token, at)) : undefined;
      if (operator !== undefined) marker.take({ operator, start, end: at, content });
      start = at;
    }
  }
}

const [openArray, closeArray, less, greater] = [0x5b, 0x5d, 0x3c, 0x3e];
const [open, close, slash, percent, backslash] = [0x28, 0x29, 0x2f, 0x25, 0x5c];

/** The operators that matter here, by their bytes as one number. */
const operators = new Map(
  'BDC BMC EMC BT ET Tj TJ \' " m re f F f* S s B B* b b* n sh Do q Q BI'
    .split(' ')
    .map((operator) => [operatorCode(Buffer.from(operator), 0, operator.length), operator]),
);

function operatorCode(content: Buffer, start: number, endAt: number): number {
  let code = 0;
  for (let at = start; at < endAt; at += 1) code = code * 256 + content[at]!;
  return code;
}

function isNumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b;
}

function endOfDelimited(content: Buffer, at: number, byte: number, isDouble: boolean): number {
  if (byte === slash) return endOfRegular(content, at + 1);
  if (byte === open) return endOfLiteral(content, at);
  if (byte === less && !isDouble) return after(content.indexOf(greater, at));
  if (byte === percent) return after(content.indexOf(10, at));
  return at + (isDouble && (byte === less || byte === greater) ? 2 : 1);
}

function after(index: number): number {
  return index < 0 ? Number.MAX_SAFE_INTEGER : index + 1;
}

function endOfRegular(content: Buffer, from: number): number {
  let at = from;
  while (at < content.length && byteKinds[content[at]!] === 0) at += 1;
  return at;
}

function endOfLiteral(content: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at += 1) {
    const byte = content[at];
    if (byte === backslash) at += 1;
    else if (byte === open) depth += 1;
    else if (byte === close && (depth -= 1) === 0) return at + 1;
  }
  return content.length;
}

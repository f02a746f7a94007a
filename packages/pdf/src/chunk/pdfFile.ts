import { inflateSync } from 'node:zlib';
import { limits } from '../limits.ts';
import { badPdf, overLimit } from '../problems.ts';
import { Parser } from '../syntax/parser.ts';
import { isDict, Ref, type Dict, type Value } from '../syntax/value.ts';

export type Stream = { dict: Dict; data: Uint8Array };

/**
 * A PDF as Chromium writes it: one classic cross-reference table, no object streams, no encryption. It is not
 * trusted: every read is bounded by what is left of a budget, which a file with separate objects never
 * exceeds.
 */
export class PdfFile {
  readonly #bytes: Buffer;
  /** The bytes as characters. */
  readonly #source: string;
  readonly #offsets: Float64Array;
  readonly #trailer: Dict;
  #parseBudget: number;
  #inflateBudget: number = limits.inflatedChunkBytes;

  /** @throws JobError when it is not such a PDF */
  constructor(pdf: Uint8Array) {
    if (pdf.byteLength > limits.chunkBytes) throw overLimit(`it has ${pdf.byteLength} bytes`);
    this.#bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
    this.#source = this.#bytes.toString('latin1');
    this.#parseBudget = limits.overlap * this.#source.length;
    if (!this.#source.startsWith('%PDF-1.')) throw badPdf('it does not begin like a PDF');
    const parser = new Parser(this.#source, this.#tableOffset());
    this.#offsets = readTable(parser, this.#source);
    if (!parser.takeWord('trailer')) throw badPdf('it has no trailer');
    const trailer = parser.value();
    if (!isDict(trailer) || trailer.has('/Encrypt') || trailer.has('/Prev') || trailer.has('/XRefStm'))
      throw badPdf('its trailer is not one of Chromium');
    this.#trailer = trailer;
  }

  /** The dictionary from which everything is reached. */
  catalog(): Dict {
    return this.dict(this.#trailer.get('/Root'), 'catalog');
  }

  /** Reads the object behind a reference; a value that is none is returned. */
  resolve(value: Value | undefined): Value | undefined {
    if (!(value instanceof Ref)) return value;
    const parser = this.#open(value.number);
    const found = this.#parse(parser);
    if (found instanceof Ref) throw badPdf(`object ${value.number} is only a reference`);
    return found;
  }

  dict(value: Value | undefined, name: string): Dict {
    const found = this.resolve(value);
    if (!isDict(found)) throw badPdf(`its ${name} is not a dictionary`);
    return found;
  }

  array(value: Value | undefined, name: string): Value[] {
    const found = this.resolve(value);
    if (!Array.isArray(found)) throw badPdf(`its ${name} is not an array`);
    return found;
  }

  /** Reads an object that may be a stream; its data is a view of the file. */
  object(number: number): Stream | { value: Value } {
    const parser = this.#open(number);
    const value = this.#parse(parser);
    if (!isDict(value) || !parser.takeWord('stream')) return { value };
    let start = parser.position;
    if (this.#bytes[start] === 13) start += 1;
    if (this.#bytes[start] === 10) start += 1;
    const length = this.resolve(value.get('/Length'));
    if (typeof length !== 'number' || !Number.isInteger(length) || length < 0)
      throw badPdf(`the stream ${number} has no length`);
    const after = new Parser(this.#source, start + length);
    if (start + length > this.#bytes.length || !after.takeWord('endstream'))
      throw badPdf(`the stream ${number} has another length than it says`);
    this.#spend(length);
    // In another file it could name a file of the reader's machine.
    if (value.has('/F')) throw badPdf(`the data of stream ${number} is outside of it`);
    return { dict: value, data: this.#bytes.subarray(start, start + length) };
  }

  stream(value: Value | undefined, name: string): Stream {
    const found = value instanceof Ref ? this.object(value.number) : undefined;
    if (!found || !('data' in found)) throw badPdf(`its ${name} is not a stream`);
    return found;
  }

  /** The data of a stream as it was before compression. */
  inflate({ dict, data }: Stream): Buffer {
    const filter = dict.get('/Filter');
    if (filter === undefined) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (filter !== '/FlateDecode' || dict.has('/DecodeParms'))
      throw badPdf('a stream is compressed in a way that Chromium does not use');
    const maxOutputLength = Math.min(limits.inflatedStreamBytes, this.#inflateBudget);
    if (maxOutputLength < 1) throw overLimit('its streams are');
    try {
      const inflated = inflateSync(data, { maxOutputLength });
      this.#inflateBudget -= inflated.length;
      return inflated;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw overLimit('one of its streams is');
      throw badPdf('a stream cannot be decompressed');
    }
  }

  #open(number: number): Parser {
    const offset = this.#offsets[number];
    if (!offset) throw badPdf(`there is no object ${number}`);
    const parser = new Parser(this.#source, offset);
    if (parser.integer() !== number || parser.integer() !== 0 || !parser.takeWord('obj'))
      throw badPdf(`object ${number} is not where the table says`);
    return parser;
  }

  #parse(parser: Parser): Value {
    const start = parser.position;
    const value = parser.value();
    this.#spend(parser.position - start);
    return value;
  }

  #spend(bytes: number): void {
    this.#parseBudget -= bytes;
    if (this.#parseBudget < 0) throw badPdf('its objects overlap or are read again and again');
  }

  #tableOffset(): number {
    const at = this.#source.lastIndexOf('startxref');
    // Nothing but the offset and the end mark follows.
    if (at < 0 || at < this.#source.length - 64) throw badPdf('it has no end');
    const offset = new Parser(this.#source, at + 'startxref'.length).integer();
    if (offset === undefined || offset >= this.#source.length) throw badPdf('it has no table of its objects');
    return offset;
  }
}

/** Reads `xref 0 N` with its entries of 20 bytes: the offset of each object, 0 for none. */
function readTable(parser: Parser, source: string): Float64Array {
  if (!parser.takeWord('xref') || parser.integer() !== 0) throw badPdf('it has no table of its objects');
  const count = parser.integer();
  if (count === undefined || count < 1 || count * 20 > source.length)
    throw badPdf('the table of its objects is longer than the file');
  if (count > limits.chunkObjects) throw overLimit(`it has ${count} objects`);
  const offsets = new Float64Array(count);
  for (let number = 0; number < count; number += 1) {
    const offset = parser.integer();
    const generation = parser.integer();
    const isUsed = parser.takeWord('n');
    if (offset === undefined || generation === undefined || (!isUsed && !parser.takeWord('f')))
      throw badPdf('the table of its objects cannot be read');
    if (isUsed && generation === 0 && offset < source.length) offsets[number] = offset;
  }
  return offsets;
}

import { limits } from '../limits.ts';
import { badPdf } from '../problems.ts';
import { Ref, Text, type Dict, type Value } from './value.ts';

/** Kinds of bytes: 0 regular, 1 white space, 2 delimiter. */
export const byteKinds = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) byteKinds[byte] = 1;
for (const character of '()<>[]{}/%') byteKinds[character.charCodeAt(0)] = 2;

const [slash, less, greater, open, close] = [0x2f, 0x3c, 0x3e, 0x28, 0x29];
const [openArray, closeArray, backslash, percent] = [0x5b, 0x5d, 0x5c, 0x25];

/** Reads PDF values from a text whose characters are bytes. Every step moves forward, so it always ends. */
export class Parser {
  readonly #source: string;
  position: number;

  constructor(source: string, position: number) {
    this.#source = source;
    this.position = position;
  }

  /** @throws JobError when there is no value here, or one that is nested too deeply */
  value(depth = 0): Value {
    if (depth > limits.valueDepth) throw badPdf('its values are nested too deeply');
    this.skipSpace();
    const byte = this.#source.charCodeAt(this.position);
    if (byte === slash) return this.#name();
    if (byte === openArray) return this.#array(depth);
    if (byte === open) return this.#literal();
    if (byte === less)
      return this.#source.charCodeAt(this.position + 1) === less ? this.#dict(depth) : this.#hex();
    return this.#numberOrWord();
  }

  skipSpace(): void {
    const source = this.#source;
    for (;;) {
      const byte = source.charCodeAt(this.position);
      if (byte === percent) {
        while (this.position < source.length && !isLineEnd(source.charCodeAt(this.position)))
          this.position += 1;
      } else if (byteKinds[byte] === 1) this.position += 1;
      else return;
    }
  }

  /** Skips white space and the given word; false, and only the white space, if it is not there. */
  takeWord(word: string): boolean {
    this.skipSpace();
    if (!this.#source.startsWith(word, this.position)) return false;
    const after = this.#source.charCodeAt(this.position + word.length);
    if (byteKinds[after] === 0) return false;
    this.position += word.length;
    return true;
  }

  /** An integer that is not negative, without sign. */
  integer(): number | undefined {
    this.skipSpace();
    const start = this.position;
    let value = 0;
    for (;;) {
      const digit = this.#source.charCodeAt(this.position) - 0x30;
      if (!(digit >= 0 && digit <= 9) || this.position - start > 14) break;
      value = value * 10 + digit;
      this.position += 1;
    }
    return this.position === start ? undefined : value;
  }

  #regular(): string {
    const start = this.position;
    while (byteKinds[this.#source.charCodeAt(this.position)] === 0) this.position += 1;
    return this.#source.slice(start, this.position);
  }

  #name(): string {
    this.position += 1;
    const name = `/${this.#regular()}`;
    if (!name.includes('#')) return name;
    return name.replaceAll(/#([\da-fA-F]{2})/g, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  #array(depth: number): Value[] {
    this.position += 1;
    const items: Value[] = [];
    for (;;) {
      this.skipSpace();
      if (this.#source.charCodeAt(this.position) === closeArray) {
        this.position += 1;
        return items;
      }
      items.push(this.value(depth + 1));
    }
  }

  #dict(depth: number): Dict {
    this.position += 2;
    const dict: Dict = new Map();
    for (;;) {
      this.skipSpace();
      const byte = this.#source.charCodeAt(this.position);
      if (byte === greater && this.#source.charCodeAt(this.position + 1) === greater) {
        this.position += 2;
        return dict;
      }
      if (byte !== slash) throw this.#unreadable();
      dict.set(this.#name(), this.value(depth + 1));
    }
  }

  #hex(): Text {
    const end = this.#source.indexOf('>', this.position);
    if (end < 0) throw this.#unreadable();
    const raw = this.#source.slice(this.position, end + 1);
    if (!/^<[\da-fA-F\s]*>$/.test(raw)) throw this.#unreadable();
    this.position = end + 1;
    return new Text(raw);
  }

  #literal(): Text {
    const start = this.position;
    let depth = 0;
    for (; this.position < this.#source.length; this.position += 1) {
      const byte = this.#source.charCodeAt(this.position);
      if (byte === backslash) this.position += 1;
      else if (byte === open) depth += 1;
      else if (byte === close && (depth -= 1) === 0) {
        this.position += 1;
        return new Text(this.#source.slice(start, this.position));
      }
    }
    throw this.#unreadable();
  }

  #numberOrWord(): Value {
    const start = this.position;
    const word = this.#regular();
    if (/^\d{1,10}$/.test(word)) {
      const end = this.position;
      // `12 0 R` is a reference, `12 0` two numbers.
      if (this.integer() === 0 && this.takeWord('R')) return new Ref(Number(word));
      this.position = end;
      return Number(word);
    }
    if (/^[+-]?(\d{1,15}\.?\d{0,20}|\.\d{1,20})$/.test(word)) return Number(word);
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    this.position = start;
    throw this.#unreadable();
  }

  #unreadable(): Error {
    return badPdf(`no value can be read at byte ${this.position}`);
  }
}

function isLineEnd(byte: number): boolean {
  return byte === 10 || byte === 13;
}

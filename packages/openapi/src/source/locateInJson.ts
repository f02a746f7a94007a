import {
  closeBrace,
  closeBracket,
  comma,
  endOfString,
  endOfValue,
  keyOf,
  openBrace,
  openBracket,
  skipSpace,
} from './jsonText.ts';
import type { Wanted } from './wanted.ts';

/** Sets the offsets of the wanted keys and elements of valid JSON. */
export function locateInJson(text: string, root: Wanted): void {
  valueAt(skipSpace(text, 0), root);

  /** Returns the offset after the value. */
  function valueAt(start: number, wanted: Wanted | undefined): number {
    const code = text.charCodeAt(start);
    if (!wanted || wanted.children.size === 0) return endOfValue(text, start);
    if (code === openBrace) return membersAt(start, wanted);
    if (code === openBracket) return elementsAt(start, wanted);
    return endOfValue(text, start);
  }

  function membersAt(start: number, { children }: Wanted): number {
    let at = skipSpace(text, start + 1);
    while (text.charCodeAt(at) !== closeBrace) {
      const keyEnd = endOfString(text, at);
      const child = children.get(keyOf(text, at, keyEnd));
      // Of two equal keys, the last one counts.
      if (child) child.offset = at;
      at = valueAt(skipSpace(text, skipSpace(text, keyEnd) + 1), child);
      at = afterComma(at);
    }
    return at + 1;
  }

  function elementsAt(start: number, { children }: Wanted): number {
    let at = skipSpace(text, start + 1);
    for (let index = 0; text.charCodeAt(at) !== closeBracket; index += 1) {
      const child = children.get(String(index));
      if (child) child.offset = at;
      at = afterComma(valueAt(at, child));
    }
    return at + 1;
  }

  function afterComma(start: number): number {
    const at = skipSpace(text, start);
    return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
  }
}

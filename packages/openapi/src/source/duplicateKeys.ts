import { EVENT_ID, getScalarValue, parseEvents, type Event } from 'js-yaml';
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
import { afterValue, startOfScalar } from './locateInYaml.ts';
import { pointerOf } from './pointer.ts';

export type DuplicateKey = { pointer: string; key: string; offset: number };

/** Finds the members that an object names again; the parser has kept the last of each. */
export function duplicateKeys({ text, format }: { text: string; format: 'json' | 'yaml' }): DuplicateKey[] {
  return format === 'json' ? duplicatesInJson(text) : duplicatesInYaml(text);
}

function duplicatesInJson(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const path: (string | number)[] = [];
  valueAt(skipSpace(text, 0));
  return found;

  function valueAt(start: number): number {
    const code = text.charCodeAt(start);
    if (code === openBrace) return membersAt(start);
    if (code === openBracket) return elementsAt(start);
    return endOfValue(text, start);
  }

  function membersAt(start: number): number {
    const seen = new Set<string>();
    let at = skipSpace(text, start + 1);
    while (text.charCodeAt(at) !== closeBrace) {
      const keyEnd = endOfString(text, at);
      const key = keyOf(text, at, keyEnd);
      path.push(key);
      if (seen.has(key)) found.push({ pointer: pointerOf(path), key, offset: at });
      seen.add(key);
      at = afterComma(valueAt(skipSpace(text, skipSpace(text, keyEnd) + 1)));
      path.pop();
    }
    return at + 1;
  }

  function elementsAt(start: number): number {
    let at = skipSpace(text, start + 1);
    for (let index = 0; text.charCodeAt(at) !== closeBracket; index += 1) {
      path.push(index);
      at = afterComma(valueAt(at));
      path.pop();
    }
    return at + 1;
  }

  function afterComma(start: number): number {
    const at = skipSpace(text, start);
    return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
  }
}

function duplicatesInYaml(text: string): DuplicateKey[] {
  const events = parseEvents(text, { maxDepth: Number.MAX_SAFE_INTEGER });
  const found: DuplicateKey[] = [];
  const path: (string | number)[] = [];
  valueAt(1);
  return found;

  function valueAt(start: number): number {
    const type = events[start]?.type;
    if (type === EVENT_ID.MAPPING) return membersAt(start + 1);
    if (type === EVENT_ID.SEQUENCE) return elementsAt(start + 1);
    return start + 1;
  }

  function membersAt(start: number): number {
    const seen = new Set<string>();
    let at = start;
    for (let event = events[at]; isInside(event); event = events[at]) {
      const key = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : undefined;
      path.push(key ?? '');
      // Each `<<` merges another mapping.
      if (key !== undefined && key !== '<<' && event.type === EVENT_ID.SCALAR) {
        if (seen.has(key)) found.push({ pointer: pointerOf(path), key, offset: startOfScalar(event) });
        seen.add(key);
      }
      at = valueAt(afterValue(events, at));
      path.pop();
    }
    return at + 1;
  }

  function elementsAt(start: number): number {
    let at = start;
    for (let index = 0; isInside(events[at]); index += 1) {
      path.push(index);
      at = valueAt(at);
      path.pop();
    }
    return at + 1;
  }
}

function isInside(event: Event | undefined): event is Event {
  return event !== undefined && event.type !== EVENT_ID.POP;
}
